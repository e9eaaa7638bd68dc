import { createHash } from 'node:crypto'
import { limits } from '@atrium/contract/limits.ts'
import { cleanFileName, extensionOf } from '../files/file-name.ts'
import { FilesWanted } from '../files/incoming-files.ts'
import { atField, type Spooled, type SpooledForm, spoolFolder, spoolForm } from '../files/spool.ts'
import { checkQuota, dropUploads, keepUpload } from '../files/upload.ts'
import { makeInspections, makeUploadLimit } from '../files/upload-limit.ts'
import { sameWithinMs } from '../forms/submission.ts'
import type { Member } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { Refusal, refuse } from '../foundation/errors.ts'
import { type FormFields, objectOf, readName } from '../foundation/form-fields.ts'
import { newId } from '../foundation/ids.ts'
import { parseShallow } from '../foundation/json.ts'
import type { TakeForm } from './route.ts'

const most = {
  purpose: 'form',
  filesMax: 10,
  fieldsMax: 400,
  fieldsCharsMax: limits.answersCharsMax * 2,
  nameOf: (field: string) => readName(field).path.at(-1) ?? '',
} as const

type Part = { id: string; field: string; inputName: string; file: Spooled }

/**
 * Turns a multipart form into the JSON of a call: `form_submit[data]` is a JSON object or one field per answer, each
 * file becomes an id at its field, and `[]` at the end of a name makes a list. Validates the answers before it stores
 * their files, and deletes files stored for answers that are then refused.
 */
export function makeFormTaker(context: Context): TakeForm<Member> {
  const within = makeUploadLimit()
  const inspect = makeInspections()
  return (member, exchange, answer) =>
    within(member, async () => {
      await checkQuota(member)
      const form = await spoolForm(exchange, spoolFolder(context.config.dataDirectory), most)
      try {
        const parts = await nameFiles(member, form)
        const body = readBody(form, parts)
        const files = new Map(parts.map((part) => [part.id, comingOf(part)]))
        const wanted = await wantedBy(() => answer(body, { files, arePrepared: false }))
        if ('answered' in wanted) return wanted.answered
        const stored: string[] = []
        try {
          for (const { id, inputName, file } of parts.filter((part) => wanted.ids.includes(part.id))) {
            await inspect(member, () => atField(inputName, () => keepUpload(member, file, id)))
            stored.push(id)
          }
          return await answer(body, { files, arePrepared: true })
        } catch (problem) {
          // Only after a certain refusal: a lost database answer may have been a commit.
          if (problem instanceof Refusal) await dropUploads(member, stored)
          throw problem
        }
      } finally {
        for (const { file } of form.files) await file.remove()
      }
    })
}

const comingOf = ({ inputName, file }: Part) => ({
  inputName,
  extension: extensionOf(cleanFileName(file.name)),
  sizeBytes: file.sizeBytes,
})

async function wantedBy(ask: () => Promise<object>): Promise<{ answered: object } | { ids: readonly string[] }> {
  try {
    return { answered: await ask() }
  } catch (problem) {
    if (problem instanceof FilesWanted) return problem
    throw problem
  }
}

/** After this many identical forms with identical files, each a minute or more apart, the next gets random ids. */
const equalFormsMax = 20

/**
 * Derives the file ids from the body, so that a repeated body gets the same ids. Without an idempotency key or draft this holds only
 * while identical answers count as a repetition; a later identical form is a new one.
 */
async function nameFiles(member: Member, form: SpooledForm): Promise<Part[]> {
  const hasTask = form.fields.some(([name, value]) => /(^|\[)(nonce_token|draft)\]?$/.test(name) && value !== '')
  const idsOf = (turn: number) =>
    form.files.map(({ field, file }, at) =>
      idFrom([member.memberId, turn, form.fields, at, field, file.name, file.sha256.toString('hex')]),
    )
  let ids = idsOf(0)
  for (let turn = 1; !hasTask && ids.length > 0 && (await areOfAnother(member, ids)); turn += 1)
    ids = turn < equalFormsMax ? idsOf(turn) : ids.map(() => newId())
  return form.files.map(({ field, file }, at) => ({
    id: ids[at] ?? newId(),
    field,
    inputName: most.nameOf(field),
    file,
  }))
}

function idFrom(parts: unknown): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)
  // RFC 9562, version 8: derived from the content.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function areOfAnother(member: Member, ids: readonly string[]): Promise<boolean> {
  const since = new Date(member.context.clock.now().getTime() - sameWithinMs)
  return reading(member, async (tx) => {
    const row = await tx
      .selectFrom('media')
      .select('media_id')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('media_id', 'in', [...ids])
      .where('created_at', '<=', since)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  })
}

function readBody({ fields }: SpooledForm, parts: readonly Part[]): object {
  const said: FormFields = fields.map(([name, value]) => [name, readValue(name, value)])
  const nameOf = (field: string) => {
    const isSeveral = !field.endsWith('[]') && parts.filter((part) => part.field === field).length > 1
    return isSeveral ? `${field}[]` : field
  }
  return objectOf([...said, ...parts.map(({ field, id }): FormFields[number] => [nameOf(field), id])])
}

/** Reads the answers as JSON, so that files can be added at their fields. */
function readValue(name: string, value: string): unknown {
  if (!/^(form_submit\[data\]|data)$/.test(name)) return value
  const answers = readAnswers(value)
  if (typeof answers !== 'object' || answers === null || Array.isArray(answers))
    refuse('malformed', 'The answers could not be read.')
  return new Map(Object.entries(answers))
}

/** Null for what is no JSON. */
function readAnswers(value: string): unknown {
  try {
    return parseShallow(value)
  } catch {
    return null
  }
}
