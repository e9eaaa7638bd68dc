import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { amountTexts, type DepositInput } from '@atrium/contract/funding.ts'
import { readAmount } from '@atrium/contract/money.ts'
import { texts } from '@atrium/contract/texts.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/counters.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { holdOwn } from '../members/locked-row.ts'
import { peopleFor } from '../money-decisions/second-approval.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { depositIdentityProblem } from './identity-rule.ts'
import { selectOwnAccount } from './own-account.ts'
import { recordEvent } from './transaction.ts'

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

type Checked = { amount: string; currency: string; origin: string; destination: string; receipts: string[] }

/** Everything that only the database knows about the form; all wrong fields are answered at once. */
async function checkDeposit(tx: Tx, member: Member, input: DepositInput): Promise<Checked> {
  const errors: FieldErrors = {}
  const account = await selectOwnAccount(tx, member, input.trading_account).executeTakeFirst()
  if (!account) errors.trading_account = [texts.accountUnknown]
  else if (!account.live_account) errors.trading_account = [texts.accountDemo]
  const currency = account?.currency ?? 'USD'
  const amount = readAmount(input.amount, currency)
  if ('problem' in amount) errors.amount = [amountTexts[amount.problem]]
  const waits =
    'amount' in amount && account?.live_account
      ? await depositIdentityProblem(tx, member, { memberId: member.memberId, amount: amount.amount, currency })
      : null
  if (waits) errors.amount = [waits]
  const origin = await describeOrigin(tx, member, input)
  if (origin === null) errors.origin_id = [texts.bankAccountUnknown]
  const destination = await describeDestination(tx, member, input.destination_id, currency)
  if (destination === null) errors.destination_id = [texts.bankAccountUnknown]
  const receipts = await findFreeReceipts(tx, member, input.files)
  if (receipts === null) errors.files = [texts.receiptUnknown]
  if (
    'problem' in amount ||
    origin === null ||
    destination === null ||
    receipts === null ||
    !account?.live_account ||
    waits
  ) {
    refuseFields(errors)
  }
  return { amount: amount.amount, currency, origin, destination, receipts }
}

/** Where the money comes from, as it was on the day: a bank account edited later must not rewrite what staff saw. */
async function describeOrigin(tx: Tx, member: Member, input: DepositInput): Promise<string | null> {
  if (!input.origin_id) return input.origin ?? null
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

async function describeDestination(tx: Tx, member: Member, id: string, currency: string): Promise<string | null> {
  const row = await tx
    .selectFrom('company_bank_accounts')
    .select(['bank_name', 'iban_number', 'bank_account'])
    .where('workspace_id', '=', member.workspaceId)
    .where('company_bank_account_id', '=', id)
    .where('currency', '=', currency)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ? `${row.bank_name}, ${row.iban_number ?? row.bank_account}` : null
}

/**
 * The member's own uploaded receipts that prove nothing else yet. Locked first, looked at second: who waited for the lock
 * sees only in a new statement what the one before attached.
 */
async function findFreeReceipts(tx: Tx, member: Member, ids: string[]): Promise<string[] | null> {
  const wanted = [...new Set(ids)]
  const own = await tx
    .selectFrom('media')
    .select('media_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('media_id', 'in', wanted)
    .where('purpose', '=', 'receipt')
    .orderBy('media_id') // Two deposits that share several take the locks in one order.
    .forUpdate()
    .execute()
  if (own.length !== wanted.length) return null
  const used = await tx
    .selectFrom('transaction_attachments')
    .select('media_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('media_id', 'in', wanted)
    .limit(1)
    .executeTakeFirst()
  return used ? null : wanted
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
