import { identityTexts, withdrawalIdentityText } from '@atrium/contract/documents/identity-texts.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import {
  cutToScale,
  formatAmount,
  inProportion,
  isMore,
  subtractAmounts,
  toScale,
} from '@atrium/contract/money/money.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type SqlBool, sql } from 'kysely'
import { type Actor, authorize, type Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

export type Withdrawal = { member_id: string; account_id: string }

/** The member's identity status if it blocks the withdrawal; null if not, as for every demo account. */
export async function identityInTheWay(
  tx: Tx,
  actor: Actor,
  { member_id, account_id }: Withdrawal,
): Promise<DocumentsStatus | null> {
  const { settings } = await readWorkspace(tx, actor)
  if (!settings.withdrawal_needs_identity) return null
  const row = await tx
    .selectFrom('members as member')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'member.workspace_id')
        .onRef('account.member_id', '=', 'member.member_id'),
    )
    .select(['member.documents_status', 'account.live_account'])
    .where('member.workspace_id', '=', actor.workspaceId)
    .where('member.member_id', '=', member_id)
    .where('account.account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  return row.live_account && row.documents_status !== 'approved' ? (row.documents_status as DocumentsStatus) : null
}

export async function refuseWithoutIdentity(tx: Tx, member: Member, accountId: string): Promise<void> {
  const status = await identityInTheWay(tx, member, { member_id: member.memberId, account_id: accountId })
  if (status) refuseKyc(withdrawalIdentityText(status))
}

export function refuseKyc(sentence: string): never {
  refuse('kyc_required', sentence, { errors: { form: [sentence] } })
}

type Deposit = {
  memberId: string
  amount: string
  currency: string
  /** A stored deposit that must not count against itself. */
  except?: string
}
type Room = { limit: string | null; left: string }

/**
 * Why the deposit needs an approved identity, as a text for the member; null if it does not. The member's row must be
 * locked while a deposit is requested, or two would fit into the same room.
 */
export async function depositIdentityProblem(tx: Tx, actor: Actor, deposit: Deposit): Promise<string | null> {
  const room = await roomBeforeIdentity(tx, actor, deposit)
  if (!room || !isMore(deposit.amount, room.left)) return null
  if (deposit.except !== undefined && (await isReturn(tx, actor, deposit.except))) return null
  return describeRoom(room, deposit.currency)
}

/** Whether the deposit credits a withdrawal that came back. */
async function isReturn(tx: Tx, actor: Actor, transactionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('balance_transactions as transaction')
    .select(creditsReturn.as('is_return'))
    .where('transaction.workspace_id', '=', actor.workspaceId)
    .where('transaction.transaction_id', '=', transactionId)
    .executeTakeFirst()
  return row?.is_return ?? false
}

/** Members read their withdrawals, and no payment exceptions. The origin of other deposits is a bank account. */
const creditsReturn = sql<boolean>`exists (select from balance_transactions as returned
  where returned.workspace_id = transaction.workspace_id and returned.transaction_id = transaction.origin_id
  and returned.type = 'withdrawal')`

/** The same for the form before the member types; null if no deposit is blocked. */
export function noteBeforeIdentity(member: Member, currency: string): Promise<string | null> {
  authorize(member, 'deposit')
  return reading(member, async (tx) => {
    const room = await roomBeforeIdentity(tx, member, { memberId: member.memberId, currency })
    return room && describeRoom(room, currency)
  })
}

function describeRoom({ limit, left }: Room, currency: string): string {
  if (limit === null) return identityTexts.depositCurrency.replace('{{currency}}', currency)
  const inCurrency = (amount: string) => `${formatAmount(amount, currency)} ${currency}`
  return identityTexts.depositAbove.replace('{{limit}}', inCurrency(limit)).replace('{{left}}', inCurrency(left))
}

export async function refuseUnverifiedDeposit(tx: Tx, actor: Actor, deposit: Deposit): Promise<void> {
  if (await depositIdentityProblem(tx, actor, deposit)) refuseKyc(deskTexts.depositAboveIdentity)
}

/**
 * The amount that may still be deposited in a currency before the identity is approved; null where the rule does not
 * apply.
 */
async function roomBeforeIdentity(
  tx: Tx,
  actor: Actor,
  { memberId, currency, except }: Omit<Deposit, 'amount'>,
): Promise<Room | null> {
  const { settings } = await readWorkspace(tx, actor)
  if (!settings.deposit_needs_identity) return null
  const { documents_status } = await tx
    .selectFrom('members')
    .select('documents_status')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  if (documents_status === 'approved') return null
  const limitIn = (code: string) =>
    settings.deposit_needs_identity_above.find((each) => each.currency === code && isMore(each.above, '0'))?.above
  const limit = limitIn(currency)
  if (limit === undefined) return { limit: null, left: '0' }
  const deposited = await tx
    .selectFrom('balance_transactions as transaction')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'transaction.workspace_id')
        .onRef('account.account_id', '=', 'transaction.account_id'),
    )
    .select(['transaction.currency', sql<string>`sum(transaction.amount)::text`.as('total')])
    .where('transaction.workspace_id', '=', actor.workspaceId)
    .where('transaction.member_id', '=', memberId)
    .where('transaction.type', '=', 'deposit')
    .where('transaction.state', 'not in', ['rejected', 'cancelled'])
    .where('account.live_account', '=', true)
    // The money was deposited before, so crediting it back leaves the room as it was.
    .where(sql<SqlBool>`not ${creditsReturn}`)
    .$if(except !== undefined, (rows) => rows.where('transaction.transaction_id', '<>', except ?? ''))
    .groupBy('transaction.currency')
    .execute()
  const left = deposited.reduce((rest, { currency: of, total }) => {
    const itsLimit = limitIn(of)
    // A currency without a limit cannot be converted, so a deposit in it uses up the whole limit.
    return itsLimit ? subtractAmounts(rest, inProportion(total, { from: itsLimit, to: limit })) : '0'
  }, limit)
  return { limit: toScale(limit, currency), left: cutToScale(isMore(left, '0') ? left : '0', currency) }
}
