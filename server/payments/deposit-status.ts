import { toScale } from '@atrium/contract/money/money.ts'
import type { depositStatus, readOpenPayment } from '@atrium/contract/payments/calls.ts'
import type { OrderState } from '@atrium/contract/payments/orders.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import type { z } from 'zod'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import type { Redirect } from '../payment-providers/contract.ts'
import { isOpen } from './order.ts'
import { lateQueriesMs } from './query-schedule.ts'

type Answer = Omit<z.input<(typeof depositStatus)['answer']>, 'status'>
type Verdict = Pick<Answer, 'order_status' | 'payment_status' | 'payment_error'>

type Of = Pick<Member, 'workspaceId' | 'memberId'> & { orderId: string }

const statusOf = prepareStatement('deposit_status', (tx: Tx, { workspaceId, memberId, orderId }: Of) =>
  tx
    .selectFrom('deposit_orders as order')
    .innerJoin('balance_transactions as deposit', (join) =>
      join
        .onRef('deposit.workspace_id', '=', 'order.workspace_id')
        .onRef('deposit.transaction_id', '=', 'order.transaction_id'),
    )
    .innerJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'order.workspace_id')
        .onRef('provider.provider_id', '=', 'order.provider_id'),
    )
    .select(['order.state', 'order.problem', 'order.amount', 'order.charge', 'order.currency', 'order.account_id'])
    .select(['order.expires_at', 'order.pending_since'])
    .select(['deposit.ticket', 'deposit.state as transaction', 'provider.app_uid'])
    .where('order.workspace_id', '=', workspaceId)
    .where('order.member_id', '=', memberId)
    .where('order.order_id', '=', orderId),
)

/** The status of the member's own order. An unknown order and another member's get identical answers. */
export function readDepositStatus(member: Member, orderId: string): Promise<Answer> {
  authorize(member, 'deposit')
  const { workspaceId, memberId } = member
  const now = member.context.clock.now().getTime()
  return reading(member, async (tx) => {
    const [row] = (await statusOf(tx, { workspaceId, memberId, orderId })).rows
    if (!row) refuseNotFound()
    return {
      state: row.state as OrderState,
      ...verdictOf(row, now),
      ...(isPending(row, now) && { is_pending: true as const }),
      amount: toScale(row.amount, row.currency),
      charge: toScale(row.charge, row.currency),
      currency: row.currency,
      provider: row.app_uid,
      ticket: String(row.ticket),
      account: row.account_id,
      expires_at: row.expires_at.getTime(),
    }
  })
}

type OrderRow = { state: string; problem: string | null; transaction: string; pending_since: Date | null }

/** The provider reports the payment as pending: it is not over, whatever our own time limit says. */
function isPending({ state, transaction, pending_since }: OrderRow, now: number): boolean {
  if (pending_since === null) return false
  // It began too late; the provider is queried for as long.
  if (state === 'expired') return now - pending_since.getTime() < lateQueriesMs
  return (transaction === 'pending' || transaction === 'cancelled') && (isOpen({ state }) || state === 'for_staff')
}

/** Empty while the outcome is open. */
function verdictOf(row: OrderRow, now: number): Verdict {
  const { state, problem, transaction } = row
  if (state === 'paid') return { order_status: 'paid', payment_status: 'approved' }
  // The provider has the money, or will have, even if the member cancelled the deposit.
  if (state === 'for_staff' || isPending(row, now)) return {}
  if (state === 'cancelled' || transaction === 'cancelled')
    return { order_status: 'declined', payment_status: 'cancelled', payment_error: paymentTexts.cancelled }
  if (state === 'expired') return declined(paymentTexts.expired)
  if (state === 'declined') return declined(problem)
  // One try was declined and the page allows another: a member who returns meanwhile sees the decline.
  return state === 'handed_over' && problem !== null ? declined(problem) : {}
}

const declined = (problem: string | null): Verdict => ({
  order_status: 'declined',
  payment_status: 'declined',
  payment_error: problem ?? paymentTexts.notAccepted,
})

type PaymentState = z.input<(typeof readOpenPayment)['answer']>['state']
type OpenPayment = { order: string; expires_at: number; state: PaymentState; redirect: Redirect | null }

/** The page of an own deposit that still awaits its payment: the one that the provider gave when the order was started. */
export function findOpenPayment(member: Member, transactionId: string): Promise<OpenPayment> {
  authorize(member, 'deposit')
  return reading(member, async (tx) => {
    const row = await tx
      .selectFrom('deposit_orders as order')
      .innerJoin('balance_transactions as deposit', (join) =>
        join
          .onRef('deposit.workspace_id', '=', 'order.workspace_id')
          .onRef('deposit.transaction_id', '=', 'order.transaction_id'),
      )
      .select(['order.order_id', 'order.account_id', 'order.state', 'order.hand_off', 'order.expires_at'])
      .select(['order.pending_since', 'order.seen_at', 'deposit.state as transaction'])
      .where('order.workspace_id', '=', member.workspaceId)
      .where('order.member_id', '=', member.memberId)
      .where('order.transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    const account = await selectOwnAccount(tx, member, row.account_id).executeTakeFirst()
    const state = paymentStateOf(row, { isUsable: account !== undefined, now: member.context.clock.now() })
    const redirect = state === 'open' ? (row.hand_off as Redirect) : null
    return { order: row.order_id, expires_at: row.expires_at.getTime(), state, redirect }
  })
}

type PayableRow = {
  state: string
  transaction: string
  hand_off: unknown
  expires_at: Date
  pending_since: Date | null
  seen_at: Date | null
}

function paymentStateOf(row: PayableRow, { isUsable, now }: { isUsable: boolean; now: Date }): PaymentState {
  const isMoving = row.pending_since !== null || row.seen_at !== null
  if (!isOpen(row) || row.transaction !== 'pending' || isMoving) return 'settled'
  if (!isUsable) return 'unpayable'
  if (row.hand_off === null) return 'unanswered'
  return row.expires_at > now ? 'open' : 'expired'
}
