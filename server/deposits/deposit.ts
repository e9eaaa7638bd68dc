import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { amountTexts, type createDeposit } from '@atrium/contract/deposits/calls.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { readAmount } from '@atrium/contract/money/money.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { z } from 'zod'
import { lockOwnFiles, validateUse } from '../files/own-files.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { holdsDemoFunds } from '../funding/group-kind.ts'
import { depositIdentityProblem } from '../funding/identity-rule.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import { recordEvent } from '../funding/transaction.ts'
import { peopleFor } from '../money-decisions/second-approval.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { type RequestedDeposit, requestDemoDeposit } from './demo-deposit.ts'

type DepositInput = z.output<(typeof createDeposit)['input']>

/**
 * The account alone decides the kind of deposit: demo funds for a demo account, for a live one a manual transfer that
 * the desk reviews. Status, source, type and method sent by the client are ignored.
 */
export async function requestDeposit(member: Member, input: DepositInput): Promise<RequestedDeposit> {
  authorize(member, 'deposit')
  const { nonce_token: token, ...body } = input
  const requested = await inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    if (await isOwnDemoAccount(tx, member, input.trading_account)) return null
    const claim = await claimUniqueToken<RequestedDeposit>(tx, member, { token, purpose: 'transaction_deposit', body })
    if (claim.earlier) return claim.earlier // A repeated form returns the first deposit.
    const checked = await judgeDeposit(tx, member, input)
    if ('errors' in checked) refuseFields(checked.errors)
    const made = await insertDeposit(tx, member, input, checked)
    await claim.keep(made)
    return made
  })
  // Crediting needs the system actor and its own transaction: a member's transaction cannot move money.
  return requested ?? requestDemoDeposit(member, input)
}

/** Database checks for a form that the call's schema already refused, so that one answer lists every error. */
export async function validateDeposit(member: Member, readable: ReadableDeposit): Promise<FieldErrors> {
  authorize(member, 'deposit')
  // Not a read-only transaction: checking the files locks them for its duration.
  return inTransaction(member, async (tx) => {
    const { trading_account: accountId } = readable
    const judged = await judgeDeposit(tx, member, readable)
    const errors = 'errors' in judged ? judged.errors : {}
    if (accountId === undefined || !(await isOwnDemoAccount(tx, member, accountId))) return errors
    return errors.amount ? { amount: errors.amount } : {}
  })
}

async function isOwnDemoAccount(tx: Tx, member: Member, accountId: string): Promise<boolean> {
  const account = await tx
    .selectFrom('trading_accounts')
    .select('live_account')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return account?.live_account === false
}

type Checked = {
  amount: string
  currency: string
  origin: string
  beneficiary: string
  beneficiaryId: string
  receipts: string[]
}
/** The form fields that could be parsed. */
type ReadableDeposit = { [Field in keyof DepositInput]?: DepositInput[Field] | undefined }

/** Checks that need the database; one answer lists every wrong field. */
async function judgeDeposit(
  tx: Tx,
  member: Member,
  input: ReadableDeposit,
): Promise<Checked | { errors: FieldErrors }> {
  const errors: FieldErrors = {}
  const account = input.trading_account ? await findAccount(tx, member, input.trading_account) : undefined
  if (input.trading_account && !account) errors.trading_account = [texts.accountUnknown]
  if (account && (await holdsDemoFunds(tx, member, account.account_id)))
    errors.trading_account = [accountTexts.inDemoGroup]
  const currency = account?.currency ?? 'USD'
  const amount = readAmount(input.amount, currency)
  if ('problem' in amount) errors.amount = [amountTexts[amount.problem]]
  const waits =
    'amount' in amount && account?.live_account
      ? await depositIdentityProblem(tx, member, { memberId: member.memberId, amount: amount.amount, currency })
      : null
  if (waits) errors.amount = [waits]
  const origin = await describeOrigin(tx, member, input)
  if (origin === null) errors[input.origin_id ? 'origin_id' : 'origin'] = [originMissing(input)]
  const beneficiaryId = input.destination_id ?? (account && (await findUsualBank(tx, member, account)))
  const beneficiary = await describeBeneficiary(tx, member, beneficiaryId, currency)
  if (!beneficiaryId || beneficiary === null)
    errors.destination_id = [beneficiaryId ? accountTexts.bankAccountUnknown : texts.fieldsMissing]
  const found = input.files?.length ? await findReceipts(tx, member, input.files) : { said: texts.receiptMissing }
  if ('said' in found) errors.files = [found.said]
  const isWrong = 'problem' in amount || origin === null || beneficiary === null || 'said' in found || waits
  if (isWrong || errors.trading_account || !beneficiaryId || !account?.live_account) return { errors }
  return { amount: amount.amount, currency, origin, beneficiary, beneficiaryId, receipts: found.receipts }
}

const findAccount = (tx: Tx, member: Member, id: string) => selectOwnAccount(tx, member, id).executeTakeFirst()
const originMissing = ({ origin_id }: ReadableDeposit) =>
  origin_id ? accountTexts.bankAccountUnknown : texts.fieldsMissing

/** A snapshot of the source account: a later edit must not change what staff saw. */
async function describeOrigin(tx: Tx, member: Member, input: ReadableDeposit): Promise<string | null> {
  if (!input.origin_id) return input.origin || null
  const row = await tx
    .selectFrom('bank_accounts')
    .select(['bank_name', 'iban_number', 'bank_account', 'account_holder'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('bank_account_id', '=', input.origin_id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ? `${row.bank_name}, ${row.account_holder}, ${row.iban_number ?? row.bank_account}` : null
}

async function describeBeneficiary(
  tx: Tx,
  member: Member,
  id: string | undefined,
  currency: string,
): Promise<string | null> {
  if (id === undefined) return null
  const [row] = await selectCompanyBanks(tx, member, [id], currency).execute()
  return row ? `${row.bank_name}, ${row.iban_number ?? row.bank_account}` : null
}

function selectCompanyBanks(tx: Tx, member: Member, ids: readonly string[], currency: string) {
  return tx
    .selectFrom('company_bank_accounts')
    .select(['company_bank_account_id as id', 'bank_name', 'iban_number', 'bank_account'])
    .where('workspace_id', '=', member.workspaceId)
    .where('company_bank_account_id', 'in', [...ids])
    .where('currency', '=', currency)
    .where('removed_at', 'is', null)
}

/** The workspace's default company bank account in the currency of the member's account. */
async function findUsualBank(tx: Tx, member: Member, { currency }: { currency: string }): Promise<string | undefined> {
  const usual = (await readWorkspace(tx, member)).settings.default_bank_accounts_for_clients
  if (usual.length === 0) return undefined
  const found = await selectCompanyBanks(tx, member, usual, currency).execute()
  return usual.find((id) => found.some((row) => row.id === id))
}

/** The member's own unused uploads whose type and size a receipt may have. */
async function findReceipts(tx: Tx, member: Member, ids: string[]): Promise<{ receipts: string[] } | { said: string }> {
  const wanted = [...new Set(ids)]
  const files = await lockOwnFiles(tx, member, wanted)
  if (files.length !== wanted.length || files.some(({ isFree }) => !isFree))
    return { said: accountTexts.receiptUnknown }
  const said = files.map((file) => validateUse(file, 'receipt')).find((sentence) => sentence !== null)
  return said ? { said } : { receipts: wanted }
}

async function insertDeposit(tx: Tx, member: Member, input: DepositInput, checked: Checked): Promise<RequestedDeposit> {
  const now = member.context.clock.now()
  const place = { workspace_id: member.workspaceId, member_id: member.memberId, transaction_id: newId() }
  const { settings } = await readWorkspace(tx, member)
  const { amount, currency } = checked
  const ticket = await nextNumber(tx, member, 'transaction')
  await tx
    .insertInto('balance_transactions')
    .values({
      ...place,
      ticket,
      account_id: input.trading_account,
      type: 'deposit',
      amount,
      currency,
      state: 'pending',
      source: 'client',
      payment_method: 'manual',
      comment: input.comment,
      origin: checked.origin,
      origin_id: input.origin_id ?? null,
      destination: checked.beneficiary,
      destination_id: checked.beneficiaryId,
      approvals_needed: peopleFor(settings, { type: 'deposit', amount, currency }),
      created_at: now,
    })
    .execute()
  const attachments = checked.receipts.map((media_id) => ({ ...place, media_id, created_at: now }))
  await tx.insertInto('transaction_attachments').values(attachments).execute()
  await recordEvent(tx, member, place, 'deposit.requested')
  await audit(tx, member, {
    action: 'deposit.requested',
    subject: { kind: 'balance_transaction', id: place.transaction_id },
    after: { ticket, amount: checked.amount, currency: checked.currency, account: input.trading_account },
  })
  return { _id: place.transaction_id, ticket, status: 'pending' }
}
