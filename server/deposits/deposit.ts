import { accountTexts } from '@atrium/contract/account-texts.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { amountTexts, type DepositInput } from '@atrium/contract/funding.ts'
import { readAmount } from '@atrium/contract/money.ts'
import { texts } from '@atrium/contract/texts.ts'
import { complainOfUse, lockOwnFiles } from '../files/own-files.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/counters.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { holdOwn } from '../foundation/member-lock.ts'
import { depositIdentityProblem } from '../funding/identity-rule.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import { recordEvent } from '../funding/transaction.ts'
import { peopleFor } from '../money-decisions/second-approval.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

export type RequestedDeposit = { _id: string; ticket: string; status: 'pending' }

/**
 * A member's deposit by manual transfer: a pending transaction with its receipts, waiting for the desk. The amount is in
 * the account's currency. What the client says about status, source, type and method is not looked at.
 */
export async function requestDeposit(member: Member, input: DepositInput): Promise<RequestedDeposit> {
  authorize(member, 'deposit')
  const { nonce_token: token, ...body } = input
  return inTransaction(member, async (tx) => {
    await holdOwn(tx, member)
    const claim = await claimUniqueToken<RequestedDeposit>(tx, member, { token, purpose: 'transaction_deposit', body })
    if (claim.earlier) return claim.earlier // The same form sent twice is one deposit.
    const checked = await checkDeposit(tx, member, input)
    const requested = await insertDeposit(tx, member, input, checked)
    await claim.keep(requested)
    return requested
  })
}

type Checked = {
  amount: string
  currency: string
  origin: string
  destination: string
  receipts: string[]
}
/** What a form says so far: which of its fields are missing is for its schema to say. */
export type ReadableDeposit = { [Field in keyof DepositInput]?: DepositInput[Field] | undefined }

async function checkDeposit(tx: Tx, member: Member, input: DepositInput): Promise<Checked> {
  const judged = await judgeDeposit(tx, member, input)
  return 'errors' in judged ? refuseFields(judged.errors) : judged
}

/** Everything that only the database knows about the form; all wrong fields are answered at once. */
export async function judgeDeposit(
  tx: Tx,
  member: Member,
  input: ReadableDeposit,
): Promise<Checked | { errors: FieldErrors }> {
  const errors: FieldErrors = {}
  const account = input.trading_account ? await findAccount(tx, member, input.trading_account) : undefined
  if (input.trading_account && !account) errors.trading_account = [texts.accountUnknown]
  else if (account?.live_account === false) errors.trading_account = [accountTexts.accountDemo]
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
  const destination = await describeDestination(tx, member, input.destination_id, currency)
  if (destination === null)
    errors.destination_id = [input.destination_id ? accountTexts.bankAccountUnknown : texts.fieldsMissing]
  const found = input.files ? await findReceipts(tx, member, input.files) : { said: texts.receiptMissing }
  if ('said' in found) errors.files = [found.said]
  const isWrong = 'problem' in amount || origin === null || destination === null || 'said' in found || waits
  if (isWrong || !account?.live_account) return { errors }
  return { amount: amount.amount, currency, origin, destination, receipts: found.receipts }
}

const findAccount = (tx: Tx, member: Member, id: string) => selectOwnAccount(tx, member, id).executeTakeFirst()
const originMissing = ({ origin_id }: ReadableDeposit) =>
  origin_id ? accountTexts.bankAccountUnknown : texts.fieldsMissing

/** Where the money comes from, as it was on the day: a bank account edited later must not rewrite what staff saw. */
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

async function describeDestination(
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

/** Where the brokerage has its members pay to by default, in the currency of an account of theirs. */
export async function findUsualBank(tx: Tx, member: Member, accountId: string): Promise<string | undefined> {
  const account = await selectOwnAccount(tx, member, accountId).executeTakeFirst()
  const usual = (await readWorkspace(tx, member)).settings.default_bank_accounts_for_clients
  if (!account || usual.length === 0) return undefined
  const found = await selectCompanyBanks(tx, member, usual, account.currency).execute()
  return usual.find((id) => found.some((row) => row.id === id))
}

/** The member's own uploads that prove nothing else yet, and are what a receipt may be. */
async function findReceipts(tx: Tx, member: Member, ids: string[]): Promise<{ receipts: string[] } | { said: string }> {
  const wanted = [...new Set(ids)]
  const files = await lockOwnFiles(tx, member, wanted)
  if (files.length !== wanted.length || files.some(({ isFree }) => !isFree))
    return { said: accountTexts.receiptUnknown }
  const said = files.map((file) => complainOfUse(file, 'receipt')).find((sentence) => sentence !== null)
  return said ? { said } : { receipts: wanted }
}

async function insertDeposit(tx: Tx, member: Member, input: DepositInput, checked: Checked): Promise<RequestedDeposit> {
  const now = member.ground.clock.now()
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
      destination: checked.destination,
      destination_id: input.destination_id,
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
