import { isMore, isSame } from '@atrium/contract/money/money.ts'
import { type PayoutReason, retryReasons, waitingReasons } from '@atrium/contract/payments/payouts.ts'
import type { System } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { isFromBeforeRestore } from '../../funding/crediting/restore-moment.ts'
import { recordEvent, reportAfterEnd, type TransactionRow } from '../../funding/transaction.ts'
import type { PayoutState } from '../../payment-providers/contract.ts'
import { type ReportedState, type StatusReport, statesWithoutOutcome } from '../../payment-providers/status-report.ts'
import { readProvider } from '../connections/provider.ts'
import { openReturnedPayout } from '../exceptions/returned-payout.ts'
import { pauseBefore } from '../query-schedule.ts'
import { isReportedPaid } from './hand-payment.ts'
import { recordPaidOut, recordPayoutFailed } from './payout.ts'
import { readAccountOf } from './payout-details.ts'
import {
  awaitsOutcome,
  canMovePayout,
  changePayout,
  contradictionOf,
  enqueueTask,
  type HeldPayout,
  holdPayout,
  isOpenPayout,
  isQueryable,
  lockCurrentPayout,
  movePayout,
  type Payout,
  takeForSent,
} from './payout-order.ts'

/** The result of applying a provider's report to a payout, in the terms used for deposits. */
export type PayoutOutcome = {
  outcome: 'applied' | 'repeated' | 'noted' | 'for_staff'
  why?: PayoutReason | AfterEnd | 'payout_returned'
}

/**
 * The only function through which a proven report changes a payout, from a webhook event or a query. Paid and declined
 * are final; a difference goes to manual review, and so does money moved after the end.
 */
export async function applyPayoutReport(
  tx: Tx,
  system: System,
  payoutId: string,
  reported: StatusReport,
): Promise<PayoutOutcome> {
  const held = await holdPayout(tx, system, payoutId)
  if (!held) return { outcome: 'noted' }
  switch (reported.state) {
    case 'paid':
      return applyPaid(tx, system, held, reported)
    case 'declined':
    case 'cancelled':
    case 'try_declined':
      return applyDeclined(tx, system, held, reported)
    case 'returned':
      return isOpenPayout(held.payout) ? toStaff(tx, system, held, 'returned') : noteReturn(tx, system, held, reported)
    case 'unpaid':
    case 'pending':
      return applyAccepted(tx, system, held, reported)
    case 'unclear':
      return reviewWord(tx, system, held, reported)
    case 'payable':
    case 'hint':
      // The message reports an event without its outcome, so the provider is queried.
      return query(tx, system, held)
  }
}

/** Queries the provider now, and again until it answers: an open payout is due in any case, a paid one by this message. */
async function query(tx: Tx, system: System, { payout }: HeldPayout): Promise<PayoutOutcome> {
  if (!isQueryable(payout)) return { outcome: 'noted' }
  const { payout_id, state, return_reported_at } = payout
  const now = system.context.clock.now()
  if (state === 'paid')
    await changePayout(tx, system, payout, {
      return_reported_at: return_reported_at ?? now,
      ...{ next_look_at: new Date(now.getTime() + pauseBefore(0)), looks: 0 },
    })
  await enqueueTask(tx, system, payout_id)
  return { outcome: 'noted' }
}

/** An unknown status may mean that money moved or came back, so staff ask the provider. */
async function reviewWord(tx: Tx, system: System, held: HeldPayout, reported: StatusReport): Promise<PayoutOutcome> {
  const why = 'unclear_word'
  if (canMovePayout(held.payout.state, 'for_staff') || held.payout.state === 'for_staff')
    return toStaff(tx, system, held, why, `The provider says: ${reported.word}`)
  await countReview(tx, system, held.payout, why)
  return { outcome: 'for_staff', why }
}

async function applyPaid(tx: Tx, system: System, held: HeldPayout, reported: StatusReport): Promise<PayoutOutcome> {
  const { payout } = held
  if (payout.state === 'paid') {
    const isSameOne = reported.reference === null || reported.reference === payout.reference
    return isSameOne ? { outcome: 'repeated' } : noteAfterEnd(tx, system, held, 'second_payment', reported)
  }
  if (payout.state === 'declined' || payout.state === 'dropped') {
    await stopNext(tx, system, held)
    return noteAfterEnd(tx, system, held, 'paid_after_end', reported)
  }
  // It was sent in the period that the restored backup lost, and this report may be the only one.
  if (payout.state === 'created' && (await isFromBeforeRestore(tx, system, payout)))
    return applyPaid(tx, system, { ...held, payout: await takeForSent(tx, system, payout) }, reported)
  const why = (await differenceOf(tx, system, held, reported)) ?? reported.manualReview
  if (why) return toStaff(tx, system, held, why)
  if (!mayEnd(held)) return contradict(tx, system, held, reported)
  await payOut(tx, system, held, namedBy(reported))
  return { outcome: 'applied' }
}

/** Another attempt that is not sent yet, or that staff might have sent again, would pay a second time. */
async function stopNext(tx: Tx, system: System, held: HeldPayout): Promise<void> {
  const next = await lockCurrentPayout(tx, system, held.withdrawal.transaction_id)
  const why = next?.state === 'created' ? 'not_sent' : next && contradictionOf(next)
  if (next && why) await toStaff(tx, system, { ...held, payout: next }, why)
}

/** The payment of a payout that staff take for unsent or declined: they might have it made a second time. */
async function contradict(tx: Tx, system: System, held: HeldPayout, reported: StatusReport): Promise<PayoutOutcome> {
  if (held.payout.staff_reason === 'recorded_paid') return noteAfterEnd(tx, system, held, 'paid_after_end', reported)
  const why = contradictionOf(held.payout)
  return why ? toStaff(tx, system, held, why) : { outcome: 'for_staff' }
}

const unanswered = 'A message about the finished payout could not be verified: the provider does not answer'

/** A message says that a paid payout may have come back, and its provider cannot be queried: staff ask it. */
export async function reviewUnanswered(tx: Tx, system: System, { payout, withdrawal }: HeldPayout): Promise<void> {
  await noteOnce(tx, system, withdrawal, unanswered)
  const { attempt } = payout
  const reported = { attempt, amount: null, currency: null, reason: null, word: 'no answer' }
  await openReturnedPayout(tx, system, payout, { reported, isProven: false })
}

type AfterEnd = 'returned' | 'second_payment' | 'paid_after_end'

const notesAfterEnd: Record<AfterEnd, string> = {
  returned: 'The provider reports that the finished payout came back',
  second_payment: 'The provider reports a second payment of the finished payout',
  paid_after_end: 'The provider reports a payment after the payout had ended',
}

const paidByBoth =
  'The provider paid it, and a colleague had recorded that it was paid by hand: check whether it was paid twice'

const repeatedReturn = 'The provider reports a return of this amount again; ask whether it is another one'

const returnedUnsent = 'The provider reports the return of a payout that ended unsent'

/**
 * The money of a paid payout came back: a payment exception, about which staff decide. One that ended otherwise was
 * reversed or never sent, so there is nothing to credit.
 */
async function noteReturn(tx: Tx, system: System, held: HeldPayout, reported: StatusReport): Promise<PayoutOutcome> {
  const { payout, withdrawal } = held
  if (payout.state !== 'paid') return noteAfterEnd(tx, system, held, 'returned', reported)
  const { amount, currency, word, reference } = reported
  const facts = [amount === null ? word : `${word} ${amount} ${currency ?? ''}`.trim(), reference]
  await noteOnce(tx, system, withdrawal, `${notesAfterEnd.returned}: ${facts.filter(Boolean).join(', ')}`)
  const isProven = reported.manualReview !== 'unverified' && !(await belongsElsewhere(tx, system, held, reported))
  const { state, isDoubtful } = await openReturnedPayout(tx, system, payout, { reported, isProven })
  if (isDoubtful && (await noteOnce(tx, system, withdrawal, `${repeatedReturn}: ${facts.filter(Boolean).join(', ')}`)))
    await countReview(tx, system, payout, 'payout_returned')
  return { outcome: state === 'decided' ? 'repeated' : 'for_staff', why: 'payout_returned' }
}

/** Whether the report names the reference of another payout, or another beneficiary's account. */
async function belongsElsewhere(
  tx: Tx,
  system: System,
  { payout, withdrawal }: HeldPayout,
  { reference, account }: StatusReport,
): Promise<boolean> {
  if (await isReferenceTaken(tx, system, payout, reference)) return true
  return account !== undefined && account !== (await readAccountOf(tx, system, payout, withdrawal))
}

/**
 * Money moved after the end, and payout and withdrawal stay as they are: staff see it in the withdrawal's history, once
 * however often it is reported, and an alert counts it. The member does not see it.
 */
async function noteAfterEnd(
  tx: Tx,
  system: System,
  { payout, withdrawal }: HeldPayout,
  why: AfterEnd,
  { word, reference }: StatusReport,
): Promise<PayoutOutcome> {
  const isUnsent = why === 'returned' && payout.state === 'dropped'
  const note = `${isUnsent ? returnedUnsent : notesAfterEnd[why]}: ${[word, reference].filter(Boolean).join(', ')}`
  // Apart from the orders' own reasons, which have the same names.
  if (await noteOnce(tx, system, withdrawal, note)) await countReview(tx, system, payout, `payout_${why}`)
  return { outcome: 'for_staff', why }
}

/** False if the history of the withdrawal says it already. */
async function noteOnce(tx: Tx, system: System, withdrawal: TransactionRow, note: string): Promise<boolean> {
  const known = await tx
    .selectFrom('transaction_events')
    .select('event_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('transaction_id', '=', withdrawal.transaction_id)
    .where('event', '=', reportAfterEnd)
    .where('note', '=', note)
    .executeTakeFirst()
  if (known) return false
  await recordEvent(tx, system, withdrawal, reportAfterEnd, note)
  return true
}

type Hint = { canBeAsked: boolean; said: StatusReport | null }

/** An unproven report triggers a query, or manual review of the outcome it names if the provider cannot be queried. */
export async function applyPayoutHint(
  tx: Tx,
  system: System,
  payoutId: string,
  { canBeAsked, said }: Hint,
): Promise<PayoutOutcome> {
  const held = await holdPayout(tx, system, payoutId)
  if (!held) return { outcome: 'noted' }
  const isReturn = held.payout.state === 'paid' && said !== null && statesAfterPaid.includes(said.state)
  if (isReturn && !canBeAsked) return noteReturn(tx, system, held, { ...said, manualReview: 'unverified' })
  const isHint = canBeAsked && said?.state === 'hint'
  const isKnown = held.payout.state === 'paid' && !isReturn && !isHint
  if (isKnown || !isQueryable(held.payout)) return { outcome: 'noted' }
  if (canBeAsked) return query(tx, system, held)
  const isOutcome = said !== null && !statesWithoutOutcome.includes(said.state) && isOpenPayout(held.payout)
  return isOutcome ? toStaff(tx, system, held, 'unverified', `A message says: ${said.word}`) : { outcome: 'noted' }
}

/** What a message can say about a paid payout whose money came back. */
const statesAfterPaid: readonly ReportedState[] = ['returned', 'declined', 'cancelled', 'try_declined', 'unclear']

/** In manual review, a report still applies if only the provider's final status was missing. */
const mayEnd = ({ payout }: HeldPayout): boolean => payout.state !== 'for_staff' || awaitsOutcome(payout)

/** A missing amount counts as a difference. */
async function differenceOf(
  tx: Tx,
  system: System,
  held: HeldPayout,
  reported: StatusReport,
): Promise<PayoutReason | null> {
  const { payout } = held
  if (payout.state === 'created') return 'not_sent'
  const differs = payout.coin === null ? moneyDiffers(payout, reported) : coinDiffers(payout, reported)
  return differs ?? namesProblem(tx, system, held, reported)
}

/** The report must match this payout's reference and beneficiary account. */
async function namesProblem(
  tx: Tx,
  system: System,
  held: HeldPayout,
  reported: StatusReport,
): Promise<PayoutReason | null> {
  const why = await referenceProblem(tx, system, held, reported)
  if (why || reported.account === undefined) return why
  const { payout, withdrawal } = held
  const differs = moneyDiffers(payout, reported)
  if (differs) return differs
  const account = await readAccountOf(tx, system, payout, withdrawal)
  return account === reported.account ? null : 'account_differs'
}

function moneyDiffers({ amount, currency }: Payout, reported: StatusReport): PayoutReason | null {
  if (reported.currency !== currency) return 'currency_differs'
  if (reported.amount === null || !isSame(reported.amount, amount)) return 'amount_differs'
  return null
}

/** For coins: the same full code and the amount that the provider reported first; the provider itself converted it. */
function coinDiffers({ coin: code, coin_amount: agreed }: Payout, { coin }: StatusReport): PayoutReason | null {
  if (coin?.code !== code) return 'currency_differs'
  return agreed !== null && !isSame(coin.received, agreed) ? 'amount_differs' : null
}

async function referenceProblem(
  tx: Tx,
  system: System,
  { payout }: HeldPayout,
  { reference }: StatusReport,
): Promise<PayoutReason | null> {
  if (reference === null) return null
  if (payout.reference !== null && reference !== payout.reference) return 'another_reference'
  return (await isReferenceTaken(tx, system, payout, reference)) ? 'reference_taken' : null
}

async function isReferenceTaken(
  tx: Tx,
  system: System,
  { provider_id, payout_id }: Payout,
  reference: string | null,
): Promise<boolean> {
  if (reference === null) return false
  const other = await tx
    .selectFrom('payout_orders')
    .select('payout_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('provider_id', '=', provider_id)
    .where('reference', '=', reference)
    .where('payout_id', '<>', payout_id)
    .executeTakeFirst()
  return other !== undefined
}

/** The provider's reference and the amount of coin sent. */
type Named = Pick<PayoutState, 'reference' | 'coinAmount'>

const namedBy = ({ reference, coin }: StatusReport): Named => ({
  reference,
  ...(coin && isMore(coin.received, '0') && { coinAmount: coin.received }),
})

/** Each is set once. */
const newIn = (payout: Payout, { reference, coinAmount }: Named) => ({
  ...(payout.reference === null && reference !== null && { reference }),
  ...(payout.coin !== null && payout.coin_amount === null && coinAmount && { coin_amount: coinAmount }),
})

/** Ends payout and withdrawal in one commit, with the provider's reference of the payment. */
export async function payOut(tx: Tx, system: System, { payout, withdrawal }: HeldPayout, named: Named): Promise<void> {
  await movePayout(tx, system, payout, 'paid', newIn(payout, named))
  await recordPaidOut(tx, system, withdrawal, payout.reference ?? named.reference ?? payout.attempt)
  if (!(await isReportedPaid(tx, system, withdrawal))) return
  await noteOnce(tx, system, withdrawal, paidByBoth)
  await countReview(tx, system, payout, 'payout_second_payment')
}

async function applyDeclined(tx: Tx, system: System, held: HeldPayout, reported: StatusReport): Promise<PayoutOutcome> {
  const { payout } = held
  if (payout.state === 'declined') return { outcome: 'repeated' }
  if (payout.state === 'paid') return noteReturn(tx, system, held, reported)
  if (payout.state === 'dropped' || payout.state === 'created' || !mayEnd(held)) return { outcome: 'noted' }
  const why = (await namesProblem(tx, system, held, reported)) ?? reported.manualReview
  if (why) return toStaff(tx, system, held, why)
  const problem = reported.reason ?? reported.word
  // In the lost period it may have been reversed or paid in another way.
  if (await isFromBeforeRestore(tx, system, payout)) return toStaff(tx, system, held, 'restored', problem)
  return failPayout(tx, system, held, problem)
}

/**
 * A refusal by the provider is final: the same commit writes the reversal. If a colleague recorded a transfer by hand
 * staff decide, because the member would be paid twice.
 */
export async function failPayout(tx: Tx, system: System, held: HeldPayout, problem: string): Promise<PayoutOutcome> {
  const { payout, withdrawal } = held
  if (await isReportedPaid(tx, system, withdrawal)) return toStaff(tx, system, held, 'recorded_paid', problem)
  await movePayout(tx, system, payout, 'declined', { problem })
  await recordPayoutFailed(tx, system, withdrawal, problem)
  return { outcome: 'applied' }
}

async function applyAccepted(tx: Tx, system: System, held: HeldPayout, reported: StatusReport): Promise<PayoutOutcome> {
  const { payout } = held
  const contradiction = contradictionOf(payout)
  if (payout.state !== 'sending' && payout.state !== 'checking' && !contradiction) return { outcome: 'noted' }
  const why = (await namesProblem(tx, system, held, reported)) ?? contradiction
  if (why) return toStaff(tx, system, held, why)
  await accept(tx, system, held, namedBy(reported))
  return { outcome: 'applied' }
}

export async function accept(tx: Tx, system: System, { payout, withdrawal }: HeldPayout, named: Named): Promise<void> {
  const next = { next_look_at: new Date(system.context.clock.now().getTime() + pauseBefore(0)), absent_since: null }
  await movePayout(tx, system, payout, 'accepted', { ...next, ...newIn(payout, named) })
  await recordEvent(tx, system, withdrawal, 'withdrawal.sent-to-provider')
}

/** A difference outranks an unusable status, which outranks a missing one. */
function outweighs(why: PayoutReason, current: string | null): boolean {
  if (why !== 'above_limit' && why !== 'unclear_word') return true
  return [...waitingReasons, ...retryReasons].some((reason) => reason === current)
}

export async function toStaff(
  tx: Tx,
  system: System,
  { payout, withdrawal }: HeldPayout,
  why: PayoutReason,
  problem: string | null = payout.problem,
): Promise<PayoutOutcome> {
  if (canMovePayout(payout.state, 'for_staff')) {
    await movePayout(tx, system, payout, 'for_staff', { staff_reason: why, problem })
    await recordEvent(tx, system, withdrawal, 'withdrawal.payout-for-staff')
  } else if (payout.state === 'for_staff' && outweighs(why, payout.staff_reason)) {
    await changePayout(tx, system, payout, { staff_reason: why, problem })
  } else return { outcome: 'for_staff', why }
  await countReview(tx, system, payout, why)
  return { outcome: 'for_staff', why }
}

async function countReview(tx: Tx, system: System, { provider_id }: Payout, why: string): Promise<void> {
  const { app_uid } = await readProvider(tx, system, provider_id)
  system.context.metrics.manualReview(app_uid, why)
}
