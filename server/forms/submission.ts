import { type Answers, checkAnswers, type EnteredAnswers } from '@atrium/contract/forms/answers.ts'
import type { AnsweredScores } from '@atrium/contract/forms/calls.ts'
import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import { sql } from 'kysely'
import { FilesWanted, type IncomingFiles } from '../files/incoming-files.ts'
import type { Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { sortedJson } from '../foundation/sorted-json.ts'
import { memberDay } from '../workspaces/today.ts'
import { definitionOf, readVersion, type ShownForm } from './form.ts'
import { filesIn, validateReferences } from './references.ts'

export type Entered = {
  data: EnteredAnswers
  version?: number | undefined
  draft?: string | undefined
  draft_revision?: number | null | undefined
  time_zone?: string | undefined
}

export type Judged = {
  formId: string
  version: number
  definition: FormDefinition
  accepted: Answers
  named: Answers
  scores: AnsweredScores | null
  draftId: string | null
  /** There is a draft, and these answers are not based on its current revision. */
  isFromElsewhere: boolean
}

/** Identical answers within this time come from a double click or a retry after a lost answer. */
export const sameWithinMs = 60_000

/**
 * The submission already made from this draft, so that it is not sent again. Other answers, from another device, get a conflict,
 * since the member would believe that these were sent.
 */
export async function findOfDraft(
  tx: Tx,
  member: Member,
  { form, data, draft, time_zone: zone }: Entered & { form?: string | undefined },
) {
  if (draft === undefined) return null
  const row = await selectSent(tx, member)
    .select(['version', 'answers', 'submitted_at'])
    .where('draft_id', '=', draft)
    .executeTakeFirst()
  if (!row) return null
  const definition = await readVersion(tx, member, { formId: row.form_id, version: row.version })
  const checked = checkAnswers(definition, data, await readerOf(tx, member, { at: row.submitted_at, zone }))
  const isSame =
    row.form_id === form?.toLowerCase() && checked.ok && sortedJson(checked.accepted) === sortedJson(row.answers)
  return isSame ? row : refuse('conflict', submissionTexts.sentAlready)
}

/** The day and the number format by which answers are checked. */
async function readerOf(tx: Tx, member: Member, moment: { at?: Date; zone?: string | undefined }) {
  const { language } = await tx
    .selectFrom('members')
    .select('language')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  return { today: await memberDay(tx, member, moment), ...(language !== null && { language }) }
}

export async function findSameAnswers(tx: Tx, member: Member, { formId, version, accepted }: Judged) {
  const since = new Date(member.context.clock.now().getTime() - sameWithinMs)
  const row = await selectSent(tx, member)
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .where('submitted_at', '>', since)
    .where(sql<boolean>`answers = ${JSON.stringify(accepted)}::jsonb`)
    // A request that was cancelled may be sent again on purpose.
    .where(sql<boolean>`not exists (select from requests
      where requests.workspace_id = form_answers.workspace_id and requests.request_id = form_answers.request_id
      and requests.status = 'canceled')`)
    .orderBy('submitted_at', 'desc')
    .executeTakeFirst()
  return row ?? null
}

function selectSent(tx: Tx, member: Member) {
  return tx
    .selectFrom('form_answers')
    .select(['answers_id', 'form_id', 'request_id', 'score', 'band'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
}

/**
 * Validates answers against the version they were given to: the current one, or that of the draft. Reports problems per field; files
 * and accounts are checked once everything else is valid.
 */
export async function judgeAnswers(tx: Tx, member: Member, form: ShownForm, entered: Entered): Promise<Judged> {
  const draft = await holdDraft(tx, member, form.form_id)
  const version = entered.version ?? form.current_version
  if (version !== form.current_version && version !== draft?.version) refuseOtherVersion()
  const isCurrent = version === form.current_version
  const definition = isCurrent ? definitionOf(form) : await readVersion(tx, member, { formId: form.form_id, version })
  const checked = checkAnswers(definition, entered.data, await readerOf(tx, member, { zone: entered.time_zone }))
  if (!checked.ok)
    refuse('invalid_input', checked.message ?? Object.values(checked.errors)[0]?.[0] ?? '', { errors: checked.errors })
  return {
    formId: form.form_id,
    version,
    definition,
    accepted: checked.accepted,
    named: checked.named,
    scores: checked.scores && scoresOf(checked.scores),
    draftId: draft?.draft_id ?? null,
    isFromElsewhere: draft !== null && entered.draft_revision !== undefined && !isOfDraft(entered, draft),
  }
}

const isOfDraft = ({ draft, draft_revision }: Entered, row: { draft_id: string; revision: number }): boolean =>
  draft?.toLowerCase() === row.draft_id && draft_revision === row.revision

type Band = { name: string; text: string }
const scoresOf = ({ total, band }: { total: number; band: Band | null }): AnsweredScores => ({
  total,
  band: band && { name: band.name, text: band.text },
})

/** Loses no input: the client then reads the current version by the form's id. */
function refuseOtherVersion(): never {
  refuse('conflict', submissionTexts.formChanged, { errors: { version: [submissionTexts.formChanged] } })
}

async function holdDraft(tx: Tx, member: Member, formId: string) {
  const row = await tx
    .selectFrom('form_drafts')
    .select(['draft_id', 'version', 'revision'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('form_id', '=', formId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

type Keeping = { requestId: string | null; coming?: IncomingFiles | undefined }

/**
 * Stores validated answers with their files and deletes the draft. Checks the draft's revision only here, so that a repeated
 * submission gets its first answer, whatever was started since.
 */
export async function keepAnswers(
  tx: Tx,
  member: Member,
  judged: Judged,
  { requestId, coming }: Keeping,
): Promise<string> {
  const { formId, version, definition, accepted, named, scores, draftId } = judged
  if (judged.isFromElsewhere)
    refuse('conflict', submissionTexts.draftElsewhere, { errors: { draft_revision: [submissionTexts.draftElsewhere] } })
  const errors = await validateReferences(tx, member, { definition, answers: accepted }, coming)
  if (Object.keys(errors).length > 0) refuseFields(errors)
  askForFiles(judged, coming)
  const answers_id = newId()
  const key = { workspace_id: member.workspaceId, answers_id, member_id: member.memberId }
  await tx
    .insertInto('form_answers')
    .values({
      ...key,
      form_id: formId,
      version,
      answers: JSON.stringify(accepted),
      sent: JSON.stringify(named),
      score: scores?.total ?? null,
      band: scores?.band ? JSON.stringify(scores.band) : null,
      draft_id: draftId,
      request_id: requestId,
      submitted_at: member.context.clock.now(),
    })
    .execute()
  const files = filesIn(definition, accepted).map(({ id, input_name }) => ({ ...key, media_id: id, input_name }))
  if (files.length > 0) await tx.insertInto('form_answer_files').values(files).execute()
  await dropDraft(tx, member, formId)
  await audit(tx, member, {
    action: 'form.submitted',
    subject: { kind: 'form_answers', id: answers_id },
    // The answers are stored with the submission and stay out of the audit log.
    after: { form: formId, version, ...(requestId && { request: requestId }) },
  })
  return answers_id
}

/** Rolls back, so that the caller stores the files and runs the call again. */
function askForFiles({ definition, accepted }: Judged, coming: IncomingFiles | undefined): void {
  if (!coming || coming.arePrepared) return
  const ids = filesIn(definition, accepted).flatMap(({ id }) => (coming.files.has(id) ? [id] : []))
  if (ids.length > 0) throw new FilesWanted(ids)
}

/** Whether there was one. */
export async function dropDraft(tx: Tx, member: Member, formId: string): Promise<boolean> {
  const dropped = await tx
    .deleteFrom('form_drafts')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('form_id', '=', formId)
    .executeTakeFirst()
  return dropped.numDeletedRows > 0n
}
