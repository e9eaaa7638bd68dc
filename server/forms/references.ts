import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import type { Answers } from '@atrium/contract/forms/answers.ts'
import type { FieldType, FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { fileFields, fileRulesOf } from '@atrium/contract/forms/field-files.ts'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { IncomingFiles } from '../files/incoming-files.ts'
import { sizeSentence } from '../files/offered.ts'
import { lockOwnFiles } from '../files/own-files.ts'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** The ids in these answers, each with its field. */
function idsIn(definition: FormDefinition, answers: Answers, types: readonly FieldType[]) {
  return definition.steps
    .flatMap(({ fields }) => fields)
    .filter(({ type }) => types.includes(type))
    .flatMap((field) => {
      const { input_name } = field
      const answer = Object.hasOwn(answers, input_name) ? answers[input_name] : undefined
      const ids = Array.isArray(answer) ? answer : typeof answer === 'string' ? [answer] : []
      return ids.map((id) => ({ id, input_name, field }))
    })
}

export const filesIn = (definition: FormDefinition, answers: Answers) => idsIn(definition, answers, fileFields)

/**
 * Locks the rows that the answers refer to, and reports per field any that is not the member's own, is gone, or is already attached.
 * Locks before it reads, so that it sees what the previous lock holder attached.
 */
export async function validateReferences(
  tx: Tx,
  member: Member,
  { definition, answers }: Named,
  coming?: IncomingFiles,
): Promise<FieldErrors> {
  const errors = await validateFiles(tx, member, { definition, answers }, coming)
  const accounts = idsIn(definition, answers, ['trading_account'])
  const ownAccounts = await listAccounts(tx, member, member.memberId, idsOf(accounts))
  for (const { id, input_name } of accounts)
    if (!ownAccounts.some((own) => own.id === id && !own.deleted && !own.archived))
      errors[input_name] = [texts.accountUnknown]
  const banks = idsIn(definition, answers, ['bank_account'])
  const ownBanks = await listBanks(tx, member, member.memberId, idsOf(banks))
  for (const { id, input_name } of banks)
    if (!ownBanks.some((own) => own.id === id && !own.removed_at))
      errors[input_name] = [submissionTexts.bankAccountUnknown]
  return errors
}

async function validateFiles(
  tx: Tx,
  member: Member,
  { definition, answers }: Named,
  coming?: IncomingFiles,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const files = filesIn(definition, answers)
  const ids = files.map(({ id }) => id)
  const free: Map<string, FreeFile> = await lockFreeFiles(tx, member, ids)
  for (const [id, file] of coming?.files ?? []) {
    if (!coming?.arePrepared) free.set(id, file)
    const answer = Object.hasOwn(answers, file.inputName) ? answers[file.inputName] : undefined
    // A text field must not store the id of a file that is never stored.
    if (answer === id && !ids.includes(id)) errors[file.inputName] = [submissionTexts.fileNotAsked]
  }
  for (const [at, { id, input_name, field }] of files.entries()) {
    const file = ids.indexOf(id) === at ? free.get(id) : undefined
    const said = file ? validateFile(field, file) : submissionTexts.fileGone
    if (said) errors[input_name] ??= [said]
  }
  return errors
}

/** Checks the field's own limits against the size as uploaded, not that of a re-encoded picture. */
function validateFile(field: FormField, { extension, sizeBytes }: FreeFile): string | null {
  const { extensions, sizeBytesMax } = fileRulesOf(field)
  if (!extensions.includes(extension)) return fileTexts.fileTypes.replace('{{types}}', extensions.join(', '))
  return sizeBytes > sizeBytesMax ? sizeSentence(sizeBytesMax) : null
}

const idsOf = (named: readonly { id: string }[]): string[] => [...new Set(named.map(({ id }) => id))]

type FreeFile = { extension: string; sizeBytes: number }

async function lockFreeFiles(tx: Tx, member: Member, ids: readonly string[]): Promise<Map<string, FreeFile>> {
  const files = await lockOwnFiles(tx, member, ids)
  return new Map(files.filter(({ isFree }) => isFree).map((file) => [file.id, file]))
}

async function listAccounts(tx: Tx, actor: Actor, memberId: string | undefined, ids: readonly string[]) {
  if (ids.length === 0) return []
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id as id', 'platform_login', 'currency', 'deleted', 'archived'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', 'in', [...ids])
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId ?? ''))
    .execute()
}

async function listBanks(tx: Tx, actor: Actor, memberId: string | undefined, ids: readonly string[]) {
  if (ids.length === 0) return []
  return tx
    .selectFrom('bank_accounts')
    .select(['bank_account_id as id', 'bank_name', 'account_holder', 'currency', 'removed_at'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('bank_account_id', 'in', [...ids])
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId ?? ''))
    .execute()
}

type Named = { definition: FormDefinition; answers: Answers }

/** Display labels for the account ids in these answers. */
export async function labelsOf(
  tx: Tx,
  actor: Actor,
  memberId: string | undefined,
  all: readonly Named[],
): Promise<Map<string, string>> {
  const named = (type: FieldType) => idsOf(all.flatMap(({ definition, answers }) => idsIn(definition, answers, [type])))
  const accounts = await listAccounts(tx, actor, memberId, named('trading_account'))
  const banks = await listBanks(tx, actor, memberId, named('bank_account'))
  return new Map([
    ...accounts.map(({ id, platform_login, currency }) => [id, `${platform_login} ${currency}`] as const),
    ...banks.map(
      ({ id, bank_name, account_holder, currency }) => [id, `${bank_name}, ${account_holder}, ${currency}`] as const,
    ),
  ])
}

/** The labels that these answers need. */
export function labelsIn({ definition, answers }: Named, labels: ReadonlyMap<string, string>): Record<string, string> {
  const ids = idsOf(idsIn(definition, answers, ['trading_account', 'bank_account']))
  return Object.fromEntries(ids.flatMap((id) => (labels.has(id) ? [[id, labels.get(id) ?? '']] : [])))
}
