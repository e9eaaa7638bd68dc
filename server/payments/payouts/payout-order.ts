import { randomBytes } from 'node:crypto'
import { subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import {
  type PayoutOrderState,
  type PayoutReason,
  payoutMoves,
  unsentReasons,
  waitingReasons,
} from '@atrium/contract/payments/payouts.ts'
import type { Selectable } from 'kysely'
import type { Actor, System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { PayoutOrders } from '../../foundation/database/database.generated.ts'
import { reading, type Tx } from '../../foundation/database/database.ts'
import { assertState } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { lockTransaction, type TransactionRow } from '../../funding/transaction.ts'
import { type Mover, requirePermit } from '../../money-decisions/policy.ts'
import { findProvider } from '../connections/provider.ts'

export type Payout = Selectable<PayoutOrders>
export type HeldPayout = { payout: Payout; withdrawal: TransactionRow }

/** A call that has not answered by then never will. */
export const callLeaseMs = 60_000

export const openPayoutStates: readonly PayoutOrderState[] = ['created', 'sending', 'checking', 'accepted']
export const isOpenPayout = ({ state }: Pick<Payout, 'state'>): boolean =>
  openPayoutStates.includes(state as PayoutOrderState)

/**
 * Creates one attempt to pay a debited withdrawal, in the commit that makes it payable, with the job for the call. The
 * attempt id is generated here and used for a single call.
 */
export async function insertPayout(tx: Tx, actor: Mover, withdrawal: TransactionRow): Promise<void> {
  requirePermit(actor, withdrawal.member_id)
  const provider = await findProvider(tx, actor, withoutProviderPrefix(withdrawal.destination ?? ''))
  assertState(provider, 'a payout to no provider of the workspace')
  const now = actor.context.clock.now()
  const { transaction_id, member_id, currency, coin } = withdrawal
  const payout = {
    workspace_id: actor.workspaceId,
    payout_id: newId(),
    attempt: `wd-${randomBytes(12).toString('hex')}`,
    amount: toScale(subtractAmounts(withdrawal.amount, withdrawal.fee), currency),
  }
  await tx
    .insertInto('payout_orders')
    .values({
      ...payout,
      transaction_id,
      member_id,
      provider_id: provider.provider_id,
      currency,
      coin,
      state: 'created',
      next_look_at: now,
      created_at: now,
    })
    .execute()
  await audit(tx, actor, {
    action: 'payout.created',
    subject: { kind: 'payout_order', id: payout.payout_id },
    memberId: member_id,
    after: { transaction: transaction_id, amount: payout.amount, currency, provider: provider.app_uid },
  })
  await enqueueTask(tx, actor, payout.payout_id)
}

export async function enqueueTask(tx: Tx, actor: Actor, payoutId: string): Promise<void> {
  await actor.context.jobs.enqueue(tx, 'payments.visit-payout', { workspaceId: actor.workspaceId, id: payoutId })
}

export async function providerOfPayout(system: System, payoutId: string): Promise<string | null> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('payout_orders')
      .select('provider_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('payout_id', '=', payoutId)
      .executeTakeFirst(),
  )
  return row?.provider_id ?? null
}

/** Locks the withdrawal, then its payout, the lock order of staff decisions too, which prevents deadlocks. */
export async function holdPayout(tx: Tx, actor: Actor, payoutId: string): Promise<HeldPayout | null> {
  const seen = await tx
    .selectFrom('payout_orders')
    .select('transaction_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('payout_id', '=', payoutId)
    .executeTakeFirst()
  if (!seen) return null
  const withdrawal = await lockTransaction(tx, actor, seen.transaction_id)
  const payout = await tx
    .selectFrom('payout_orders')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('payout_id', '=', payoutId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { payout, withdrawal }
}

/** The payout of a locked withdrawal that may still pay, or has paid. */
export async function lockCurrentPayout(tx: Tx, actor: Actor, transactionId: string): Promise<Payout | null> {
  const row = await tx
    .selectFrom('payout_orders')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('transaction_id', '=', transactionId)
    .where('state', 'not in', ['declined', 'dropped'])
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

type Change = Partial<
  Pick<
    Payout,
    | 'reference'
    | 'coin_amount'
    | 'problem'
    | 'next_look_at'
    | 'absent_since'
    | 'sends'
    | 'sent_at'
    | 'looks'
    | 'return_reported_at'
  > & {
    staff_reason: PayoutReason
  }
>

export const canMovePayout = (from: string, to: PayoutOrderState): boolean =>
  payoutMoves[from as PayoutOrderState].includes(to)

/** The only function that sets a payout's state: along the transition table, with its audit entry. */
export async function movePayout(
  tx: Tx,
  actor: Mover,
  payout: Payout,
  to: PayoutOrderState,
  set: Change = {},
): Promise<void> {
  requirePermit(actor, payout.member_id)
  assertState(canMovePayout(payout.state, to), `a payout moves from ${payout.state} to ${to}`)
  const ends = ['paid', 'declined', 'dropped'].includes(to) ? { ended_at: actor.context.clock.now() } : {}
  await changePayout(tx, actor, payout, { ...ends, ...set, state: to })
  await audit(tx, actor, {
    action: `payout.${to.replaceAll('_', '-')}`,
    subject: { kind: 'payout_order', id: payout.payout_id },
    memberId: payout.member_id,
    before: { state: payout.state },
    after: {
      state: to,
      ...(set.staff_reason && { why: set.staff_reason }),
      ...(set.reference && { reference: set.reference }),
    },
  })
}

/** Why staff can no longer have it sent again when its provider turns out to have it; null if they cannot anyway. */
export function contradictionOf({ state, staff_reason }: Payout): PayoutReason | null {
  if (state !== 'for_staff' || staff_reason === 'recorded_paid') return null
  if (staff_reason === 'not_known') return 'overdue'
  return unsentReasons.some((reason) => reason === staff_reason) ? 'not_sent' : null
}

/**
 * The provider may have news of it. A paid one may have come back, one that ended otherwise may be paid after all, and one
 * that staff review may only lack its outcome, or may have been sent against all expectation.
 */
export const isQueryable = (payout: Payout): boolean =>
  payout.state === 'paid' ||
  (isOpenPayout(payout) && payout.state !== 'created') ||
  awaitsOutcome(payout) ||
  contradictionOf(payout) !== null ||
  hasEndedUnpaid(payout)

/** It was sent, and declined or replaced by another attempt: its payment would be a second one. */
export const hasEndedUnpaid = ({ state, sends }: Payout): boolean =>
  (state === 'declined' || state === 'dropped') && sends > 0

export const awaitsOutcome = ({ state, staff_reason }: Payout): boolean =>
  state === 'for_staff' && waitingReasons.some((reason) => reason === staff_reason)

/** Delay of the first query after a call that may have been sent. */
export const firstQuestionMs = 30_000

/**
 * A restored backup may have lost the call, so the provider is queried and never called, as after a process died during
 * the call. The creation time is the earliest time of the call and the start of the search.
 */
export async function takeForSent(tx: Tx, system: System, payout: Payout): Promise<Payout> {
  const now = system.context.clock.now()
  const sent_at = payout.sent_at ?? payout.created_at
  await movePayout(tx, system, payout, 'sending', { sends: payout.sends + 1, sent_at, next_look_at: now })
  await movePayout(tx, system, { ...payout, state: 'sending' }, 'checking', {
    problem: 'A backup was restored; it may have been sent before.',
    next_look_at: new Date(now.getTime() + firstQuestionMs),
  })
  return { ...payout, state: 'checking' }
}

export async function changePayout(
  tx: Tx,
  actor: Actor,
  { payout_id }: Pick<Payout, 'payout_id'>,
  set: Change & { state?: PayoutOrderState; ended_at?: Date },
): Promise<void> {
  const changed = await tx
    .updateTable('payout_orders')
    .set(set)
    .where('workspace_id', '=', actor.workspaceId)
    .where('payout_id', '=', payout_id)
    .executeTakeFirst()
  assertState(changed.numUpdatedRows === 1n, 'a locked payout did not change')
}
