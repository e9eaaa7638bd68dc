import type { Answers } from '@atrium/contract/forms/answers.ts'
import type { Answered } from '@atrium/contract/forms/calls.ts'
import type { DeskAnswered } from '@atrium/contract/forms/desk-answers.ts'
import { mediaUrl } from '../files/media.ts'
import { closureOf } from '../files/scanning.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { definitionOf } from './form.ts'
import { labelsIn, labelsOf } from './references.ts'

/** Whose answers: required for a member, who may read their own only. */
type Wanted = { memberId?: string } & ({ answersIds: readonly string[] } | { requestIds: readonly string[] })
export type SubmittedAnswers = DeskAnswered & { answers_id: string; request_id: string | null }

/** Answers for display: with the form's version, its files, and labels for their ids. */
export async function readSubmittedAnswers(tx: Tx, actor: Actor, wanted: Wanted): Promise<SubmittedAnswers[]> {
  const rows = await selectSubmittedAnswers(tx, actor, wanted)
  if (rows.length === 0) return []
  const read = rows.map((row) => ({ ...row, definition: definitionOf(row), answers: row.answers as Answers }))
  const files = await listFiles(
    tx,
    actor,
    rows.map(({ answers_id }) => answers_id),
  )
  const labels = await labelsOf(tx, actor, wanted.memberId, read)
  return read.map((row) => ({
    answers_id: row.answers_id,
    request_id: row.request_id,
    form: { _id: row.form_id, name: row.form_name, version: row.version },
    definition: row.definition,
    answers: row.answers,
    scores: row.score === null ? null : { total: Number(row.score), band: bandOf(row) },
    files: files.filter(({ answers_id }) => answers_id === row.answers_id).map((file) => shapeFile(actor, file)),
    labels: labelsIn(row, labels),
  }))
}

export const bandOf = ({ band }: { band: unknown }) => band as { name: string; text: string } | null

function selectSubmittedAnswers(tx: Tx, actor: Actor, wanted: Wanted) {
  const [column, ids] =
    'answersIds' in wanted
      ? (['sent.answers_id', wanted.answersIds] as const)
      : (['sent.request_id', wanted.requestIds] as const)
  return tx
    .selectFrom('form_answers as sent')
    .innerJoin('forms', (join) =>
      join.onRef('forms.workspace_id', '=', 'sent.workspace_id').onRef('forms.form_id', '=', 'sent.form_id'),
    )
    .innerJoin('form_versions as made', (join) =>
      join
        .onRef('made.workspace_id', '=', 'sent.workspace_id')
        .onRef('made.form_id', '=', 'sent.form_id')
        .onRef('made.version', '=', 'sent.version'),
    )
    .select(['sent.answers_id', 'sent.request_id', 'sent.form_id', 'sent.version', 'sent.answers', 'sent.score'])
    .select(['sent.band', 'forms.name as form_name', 'made.definition'])
    .where('sent.workspace_id', '=', actor.workspaceId)
    .where(column, 'in', [...ids])
    .$if(wanted.memberId !== undefined, (query) => query.where('sent.member_id', '=', wanted.memberId ?? ''))
    .execute()
}

type FileRow = Awaited<ReturnType<typeof listFiles>>[number]

function listFiles(tx: Tx, actor: Actor, answersIds: readonly string[]) {
  return tx
    .selectFrom('form_answer_files as file')
    .innerJoin('media', (join) =>
      join.onRef('media.workspace_id', '=', 'file.workspace_id').onRef('media.media_id', '=', 'file.media_id'),
    )
    .select(['file.answers_id', 'media.media_id', 'media.name', 'media.extension', 'media.kind', 'media.size_bytes'])
    .select('media.scan')
    .where('file.workspace_id', '=', actor.workspaceId)
    .where('file.answers_id', 'in', [...answersIds])
    .orderBy('media.created_at')
    .orderBy('media.media_id')
    .execute()
}

const shapeFile = (actor: Actor, file: FileRow): SubmittedAnswers['files'][number] => ({
  _id: file.media_id,
  name: file.name,
  extension: file.extension,
  is_image: file.kind === 'image',
  size_bytes: Number(file.size_bytes),
  url: mediaUrl(file),
  scan: file.scan as Answered['files'][number]['scan'],
  ...(actor.kind === 'staff' ? closureOf(actor, file.scan) : { is_unscannable: false, may_release: false }),
})
