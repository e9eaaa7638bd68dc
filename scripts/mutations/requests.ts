import type { Mutation } from './mutation.ts'

const members = ['server/requests/requests.test.ts']
const takingBack = ['server/requests/taking-back.test.ts']
const membersForms = ['server/forms/members-forms.test.ts']
const files = ['server/requests/form-files.test.ts']
const details = ['server/members/details.test.ts']
const invitation = ['server/members/invitation.test.ts']
const walls = ['server/foundation/database/tenancy.test.ts']
const policyOfRequests = `alter policy own on requests using (
  workspace_id = (select scope_workspace())
  and case (select scope_actor())
    when 'member' then `

/** Requests and form answers: ownership, single submission, form version, and decisions. */
export const requestMutations: Mutation[] = [
  {
    name: 'another member can read and cancel a request',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: `${policyOfRequests}member_id = (select scope_member())`,
    replace: `${policyOfRequests}true`,
    tests: walls,
    guards: 'T2',
  },
  {
    name: 'another member can read a draft',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: "select protect_table('form_drafts', 'own');",
    replace: "select protect_table('form_drafts', 'shared');",
    tests: walls,
    guards: 'T2',
  },
  {
    name: 'a decided request can be cancelled',
    file: 'contract/requests/states.ts',
    find: "'in-progress': cancels,\n    done: [],\n",
    replace: "'in-progress': cancels,\n    done: cancels,\n",
    tests: takingBack,
    guards: 'T2',
  },
  {
    name: 'a request stores the wrong form version',
    file: 'server/requests/file-request.ts',
    find: 'form_version: filled?.version ?? null,',
    replace: 'form_version: filled ? 1 : null,',
    tests: members,
    guards: 'U8',
  },
  {
    name: 'a submitted draft can be submitted again',
    file: 'server/forms/submission.ts',
    find: '  if (draft === undefined) return null\n',
    replace: '  if (draft === undefined || data !== null) return null\n',
    tests: members,
    guards: 'U2',
  },
  {
    name: 'another member can read the files of form answers',
    file: 'server/migrations/20261122-1900-forms.sql',
    find: "select protect_table('form_answer_files', 'own');",
    replace: "select protect_table('form_answer_files', 'shared');",
    tests: walls,
    guards: 'T2',
  },
  {
    name: 'one file can be an answer in two requests',
    file: 'server/files/queries.ts',
    find: "at: ['form_answer_files', 'media_id']",
    replace: "at: ['form_answer_files', 'answers_id']",
    tests: members,
    guards: 'T2',
  },
  {
    name: 'files of an open draft are deleted as unused',
    file: 'server/files/queries.ts',
    find: 'and media.media_id = any (draft.media_ids))',
    replace: 'and false)',
    tests: membersForms,
    guards: 'U8',
  },
  {
    name: 'the database allows a transition from a final state',
    file: 'server/migrations/20261127-0500-details-changed-by-request.sql',
    find: "      'not-assigned>open', 'not-assigned>in-progress',",
    replace: "      'done>open', 'not-assigned>open', 'not-assigned>in-progress',",
    tests: takingBack,
    guards: 'T2',
  },
  {
    name: 'files of a rejected form stay stored',
    file: 'server/http/form-files.ts',
    find: '          if (problem instanceof Refusal) await dropUploads(member, stored)\n',
    replace: '',
    tests: files,
    guards: 'V5',
  },
  {
    name: 'handling requests is enough to change the email of a member',
    file: 'server/requests/desk-decisions.ts',
    find: "  if (!holdsRight(staff.role, 'members.change')) refuse(",
    replace: "  if (staff.role === '') refuse(",
    tests: details,
    guards: 'T4',
  },
  {
    name: 'changing the email of a member does not start a withdrawal hold',
    file: 'server/sessions/factors/withdrawal-hold.ts',
    find: "        .where('details_changed_at', 'is not', null),",
    replace: "        .where('details_changed_at', 'is', null),",
    tests: details,
    guards: 'T4',
  },
  {
    name: 'a revoked invitation still works',
    file: 'server/members/invitation.ts',
    find: "const closed = await closeResetLinks(tx, staff, { kind: 'member', id: memberId })",
    replace: 'const closed = 1',
    tests: invitation,
    guards: 'T4',
  },
]
