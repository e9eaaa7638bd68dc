import type { Mutation } from './mutation.ts'

const members = ['server/requests/requests.test.ts']
const takingBack = ['server/requests/taking-back.test.ts']
const membersForms = ['server/forms/members-forms.test.ts']
const files = ['server/requests/form-files.test.ts']
const desk = ['server/requests/desk-requests.test.ts']
const walls = ['server/foundation/tenancy.test.ts']
const policyOfRequests = `alter policy own on requests using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then `

/** Requests and what is filled in for them: whose they are, sent once, by which version, and who decides. */
export const requestMutations: Mutation[] = [
  {
    name: 'another member reads a request, and takes it back',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: `${policyOfRequests}member_id = (select scope_member())`,
    replace: `${policyOfRequests}true`,
    tests: walls,
    guards: 'T2',
  },
  {
    name: 'another member reads what somebody has begun to fill in',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: "select protect_table('form_drafts', 'own');",
    replace: "select protect_table('form_drafts', 'shared');",
    tests: walls,
    guards: 'T2',
  },
  {
    name: 'a form sends requests although requests are closed',
    file: 'server/forms/submit.ts',
    find: "      if (form.is_request) authorize(member, 'requests')\n",
    replace: '',
    tests: members,
    guards: 'T4',
  },
  {
    name: 'what was typed on another device goes with a submission',
    file: 'server/forms/submission.ts',
    find: '  if (judged.isFromElsewhere)\n',
    replace: '  if (judged.isFromElsewhere && draftId === null)\n',
    tests: ['server/forms/drafts.test.ts'],
    guards: 'V4',
  },
  {
    name: 'what was sent is kept as a draft once more',
    file: 'server/forms/drafts.ts',
    find: '    if (await wasSent(tx, member, input)) refuseSent()\n',
    replace: '',
    tests: ['server/forms/drafts.test.ts'],
    guards: 'V4',
  },
  {
    name: 'a request that is decided is taken back',
    file: 'contract/request-states.ts',
    find: "'in-progress': cancels, done: [], canceled: []",
    replace: "'in-progress': cancels, done: cancels, canceled: []",
    tests: takingBack,
    guards: 'T2',
  },
  {
    name: 'a request says another version than it was filled in with',
    file: 'server/requests/file-request.ts',
    find: 'form_version: filled?.version ?? null,',
    replace: 'form_version: filled ? 1 : null,',
    tests: members,
    guards: 'U8',
  },
  {
    name: 'answers to an older version are judged by the newest',
    file: 'server/forms/submission.ts',
    find: 'const definition = isCurrent ? definitionOf(form) : await readVersion(',
    replace: 'const definition = form ? definitionOf(form) : await readVersion(',
    tests: members,
    guards: 'U8',
  },
  {
    name: 'two clicks send a form twice',
    file: 'server/forms/submit.ts',
    find: '      if (same) return shape(same)\n',
    replace: '',
    tests: membersForms,
    guards: 'U2',
  },
  {
    name: 'the server takes what the browser refuses',
    file: 'server/forms/submission.ts',
    find: '  if (!checked.ok)\n    refuse(',
    replace: '  if (!checked.ok && !Object.values(checked.errors)[0])\n    refuse(',
    tests: ['server/forms/agreement.test.ts'],
    guards: 'U8',
  },
  {
    name: 'two clicks send two requests',
    file: 'server/requests/send.ts',
    find: '  if (same) return same\n',
    replace: '',
    tests: members,
    guards: 'U2',
  },
  {
    name: 'a draft that was sent is sent once more',
    file: 'server/forms/submission.ts',
    find: '  if (draft === undefined) return null\n',
    replace: '  if (draft === undefined || data !== null) return null\n',
    tests: members,
    guards: 'U2',
  },
  {
    name: 'answers to any version of a form are taken',
    file: 'server/forms/submission.ts',
    find: '  if (version !== form.current_version && version !== draft?.version) refuseOtherVersion()\n',
    replace: '',
    tests: members,
    guards: 'U8',
  },
  {
    name: 'another member reads which files were answers',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: "select protect_table('form_answer_files', 'own');",
    replace: "select protect_table('form_answer_files', 'shared');",
    tests: walls,
    guards: 'T2',
  },
  {
    name: 'a file is an answer in two requests',
    file: 'server/files/queries.ts',
    find: '  select from form_answer_files as answer\n  where answer.workspace_id = media.workspace_id and answer.media_id = media.media_id)',
    replace: '  select from form_answer_files as answer\n  where false)',
    tests: members,
    guards: 'T2',
  },
  {
    name: 'files of a draft are swept away while it is there',
    file: 'server/files/queries.ts',
    find: 'and media.media_id = any (draft.media_ids))',
    replace: 'and false)',
    tests: membersForms,
    guards: 'U8',
  },
  {
    name: 'the database lets a request move from what is final',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: "      'not-assigned>open', 'not-assigned>in-progress',",
    replace: "      'done>open', 'not-assigned>open', 'not-assigned>in-progress',",
    tests: takingBack,
    guards: 'T2',
  },
  {
    name: 'the second of two who take a request takes it from the first',
    file: 'server/requests/desk-decisions.ts',
    find: '    if (row.assigned_staff_id !== from) refuseHeld(row)\n',
    replace: '',
    tests: desk,
    guards: 'U2',
  },
  {
    name: 'a form that two publish loses what the first one made',
    file: 'server/forms/desk-forms.ts',
    find: "    if (form.current_version !== based_on) refuse('conflict', deskTexts.formPublishedElsewhere)\n",
    replace: '',
    tests: desk,
    guards: 'U2',
  },
  {
    name: 'a device that comes late believes that its answers were sent',
    file: 'server/forms/submission.ts',
    find: "  return isSame ? row : refuse('conflict', submissionTexts.sentAlready)\n",
    replace: '  return isSame ? row : row\n',
    tests: members,
    guards: 'U8',
  },
  {
    name: 'a field takes files of any type',
    file: 'server/forms/references.ts',
    find: '  if (!extensions.includes(extension)) return',
    replace: "  if (extensions.includes('')) return",
    tests: files,
    guards: 'U8',
  },
  {
    name: 'files of a form that is refused stay',
    file: 'server/forms/form-body.ts',
    find: '          if (problem instanceof Refusal) await dropUploads(member, kept)\n',
    replace: '',
    tests: files,
    guards: 'V5',
  },
]
