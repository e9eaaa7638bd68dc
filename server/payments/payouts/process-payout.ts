import type { PayoutReason } from '@atrium/contract/payments/payouts.ts'
import { withdrawalClosures, withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { reach } from '../../foundation/failpoint.ts'
import { isFromBeforeRestore } from '../../funding/crediting/restore-moment.ts'
import { identityInTheWay } from '../../funding/identity-rule.ts'
import { closureOf, heldSentence, paymentHeldUntil } from '../../funding/payable.ts'
import { describeProblem } from '../../observability/log.ts'
import { PaymentProblem, type PayoutState, type PayoutToStart } from '../../payment-providers/contract.ts'
import { connectProvider, type ProviderRow, readProvider } from '../connections/provider.ts'
import { isLongQueried, pauseBefore, pauseWhilePending } from '../query-schedule.ts'
import { isReportedPaid } from './hand-payment.ts'
import { isBeneficiaryChanged, readPayoutToStart } from './payout-details.ts'
import {
  callLeaseMs,
  changePayout,
  enqueueTask,
  firstQuestionMs,
  type HeldPayout,
  hasEndedUnpaid,
  holdPayout,
  movePayout,
  openPayoutStates,
  takeForSent,
} from './payout-order.ts'
import { askAboutPayout } from './payout-question.ts'
import { accept, failPayout, payOut, toStaff } from './payout-settle.ts'

/** Calls to an unavailable provider before manual review, and the interval between them. */
const sendsMax = 10
const pauseMs = 120_000
/** Payouts per round; the rest is due in the next one. */
const payoutsMax = 200

type Taken = { do: 'send'; provider: ProviderRow; wanted: PayoutToStart } | { do: 'ask' } | { do: 'nothing' }

/**
 * The next step of a payout: its single call, or a query. The call is leased in its own commit before anything is sent;
 * an expired lease means that its process died during the call, so the provider is queried and never called again.
 */
export async function processPayout(system: System, payoutId: string): Promise<void> {
  const taken = await inTransaction(system, (tx) => take(tx, system, payoutId))
  if (taken.do === 'ask') await askAboutPayout(system, payoutId)
  if (taken.do === 'send') await send(system, payoutId, taken)
  system.context.jobs.wake('funding.settle-intent')
}

async function take(tx: Tx, system: System, payoutId: string): Promise<Taken> {
  const held = await holdPayout(tx, system, payoutId)
  if (!held) return { do: 'nothing' }
  const { payout } = held
  const now = system.context.clock.now()
  if (payout.state === 'created') {
    if (await isFromBeforeRestore(tx, system, payout)) {
      await takeForSent(tx, system, payout)
      return { do: 'ask' }
    }
    const provider = await readProvider(tx, system, payout.provider_id)
    const refusal = await whyNotPayable(tx, system, held, provider)
    if (refusal) {
      await toStaff(tx, system, held, refusal.why, refusal.problem)
      return { do: 'nothing' }
    }
    const heldUntil = await paymentHeldUntil(tx, system, held.withdrawal)
    if (heldUntil) {
      await changePayout(tx, system, payout, { problem: heldSentence(heldUntil), next_look_at: heldUntil })
      return { do: 'nothing' }
    }
    if (await isReportedPaid(tx, system, held.withdrawal)) {
      const next_look_at = new Date(now.getTime() + pauseMs)
      await changePayout(tx, system, payout, { problem: withdrawalDeskTexts.reportedPaid, next_look_at })
      return { do: 'nothing' }
    }
    const wanted = await readUnchanged(tx, system, held, provider)
    if ('why' in wanted) {
      await toStaff(tx, system, held, wanted.why, wanted.problem)
      return { do: 'nothing' }
    }
    await movePayout(tx, system, payout, 'sending', {
      sends: payout.sends + 1,
      sent_at: now,
      next_look_at: new Date(now.getTime() + callLeaseMs),
    })
    return { do: 'send', provider, wanted }
  }
  if (payout.state === 'sending') {
    if (payout.next_look_at > now) return { do: 'nothing' }
    await movePayout(tx, system, payout, 'checking', { problem: 'The process that sent it ended.' })
  }
  // An ended one after a message that its money came back, or that it was paid after all.
  const isAsked = ['sending', 'checking', 'accepted', 'for_staff', 'paid'].includes(payout.state)
  return isAsked || hasEndedUnpaid(payout) ? { do: 'ask' } : { do: 'nothing' }
}

type Review = { why: PayoutReason; problem: string }

/** What has changed since the approval, for staff to decide: a payout cannot be recalled. */
async function whyNotPayable(
  tx: Tx,
  system: System,
  { withdrawal }: HeldPayout,
  { enabled }: ProviderRow,
): Promise<Review | null> {
  if (!enabled) return { why: 'misconfigured', problem: withdrawalDeskTexts.providerOff }
  const closure = await closureOf(tx, system, withdrawal)
  if (closure)
    return {
      why: closure === 'member_locked' ? closure : 'account_restricted',
      problem: withdrawalClosures[closure],
    }
  if (await identityInTheWay(tx, system, withdrawal))
    return { why: 'identity_missing', problem: withdrawalDeskTexts.identityMissing }
  return null
}

/** The data for the call, which pays the beneficiary that was approved. */
async function readUnchanged(
  tx: Tx,
  system: System,
  held: HeldPayout,
  provider: ProviderRow,
): Promise<PayoutToStart | Review> {
  try {
    const wanted = await readPayoutToStart(tx, system, held, provider)
    if (await isBeneficiaryChanged(tx, system, held.withdrawal, provider))
      return { why: 'beneficiary_changed', problem: withdrawalDeskTexts.beneficiaryChanged }
    return wanted
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    return { why: 'misconfigured', problem: problem.detail }
  }
}

type Sending = Extract<Taken, { do: 'send' }>

/** Runs outside of every transaction; its outcome is a second commit. */
async function send(system: System, payoutId: string, { provider, wanted }: Sending): Promise<void> {
  let outcome: PayoutState | PaymentProblem
  try {
    const connected = await connectProvider(system, provider)
    if (!connected.payOut) throw new PaymentProblem('misconfigured', 'this provider pays nothing out')
    await reach('payout-order.before-call')
    outcome = await connected.payOut(wanted)
    await reach('payout-order.called')
  } catch (problem) {
    outcome = problem instanceof PaymentProblem ? problem : new PaymentProblem('unknown', 'fault')
    if (outcome !== problem) system.context.log.error({ err: describeProblem(problem) }, 'payout fault')
    else system.context.log.warn({ payout: payoutId, failure: outcome.failure }, 'payout failed')
  }
  await inTransaction(system, async (tx) => {
    const held = await holdPayout(tx, system, payoutId)
    // A webhook event or an expired lease may have changed the payout before the answer: its effect remains.
    if (held?.payout.state === 'sending') await record(tx, system, held, outcome)
    await reach('payout-order.before-commit')
  })
}

async function record(tx: Tx, system: System, held: HeldPayout, outcome: PayoutState | PaymentProblem): Promise<void> {
  if (!(outcome instanceof PaymentProblem)) {
    if (outcome.state === 'paid') return payOut(tx, system, held, outcome)
    if (outcome.state === 'pending') return acceptOrReview(tx, system, held, outcome)
    return refuseOrAsk(tx, system, held, 'The provider declined it.')
  }
  const { failure, detail } = outcome
  if (failure === 'declined') return refuseOrAsk(tx, system, held, detail)
  if (failure === 'misconfigured') await toStaff(tx, system, held, 'misconfigured', detail)
  else if (failure === 'unavailable') await sendLater(tx, system, held, detail)
  else await check(tx, system, held, detail)
}

/** Nothing is paid before the member has filled in a page of the provider, which staff send them. */
async function acceptOrReview(tx: Tx, system: System, held: HeldPayout, outcome: PayoutState): Promise<void> {
  await accept(tx, system, held, outcome)
  const { page, unlistedHost: host } = outcome
  const problem = host === undefined ? page : `Do not send its page to the member: ${host} is not a listed host.`
  if (!problem) return
  if (host !== undefined) system.context.log.warn({ payout: held.payout.payout_id }, 'payout page on an unlisted host')
  const accepted = await holdPayout(tx, system, held.payout.payout_id)
  if (accepted) await toStaff(tx, system, accepted, 'member_page', problem)
}

/** A refusal of a repeated call may refer to the first one ("known already"), so the provider is queried first. */
async function refuseOrAsk(tx: Tx, system: System, held: HeldPayout, detail: string): Promise<void> {
  if (held.payout.sends > 1) await check(tx, system, held, detail)
  else await failPayout(tx, system, held, detail)
}

async function sendLater(tx: Tx, system: System, held: HeldPayout, detail: string) {
  if (held.payout.sends >= sendsMax) {
    await toStaff(tx, system, held, 'unavailable', detail)
    return
  }
  const next_look_at = new Date(system.context.clock.now().getTime() + pauseMs)
  await movePayout(tx, system, held.payout, 'created', { problem: detail, next_look_at })
}

async function check(tx: Tx, system: System, held: HeldPayout, detail: string) {
  const next_look_at = new Date(system.context.clock.now().getTime() + firstQuestionMs)
  await movePayout(tx, system, held.payout, 'checking', { problem: detail, next_look_at })
}

/** Creates a job for each due payout. A lease is left unchanged until it expires. */
export async function processDuePayouts(system: System): Promise<number> {
  return inTransaction(system, async (tx) => {
    const now = system.context.clock.now()
    const dueOf = (tx: Tx) =>
      tx
        .selectFrom('payout_orders')
        .select(['payout_id', 'looks', 'state', 'return_reported_at'])
        .where('workspace_id', '=', system.workspaceId)
        .where('next_look_at', '<=', now)
        .orderBy('next_look_at')
        .limit(payoutsMax)
        .forUpdate()
        .skipLocked()
    const open = await dueOf(tx).where('state', 'in', openPayoutStates).execute()
    // Paid, after a message that the money may have come back, which its provider has not answered.
    const unanswered = await dueOf(tx).where('return_reported_at', 'is not', null).where('state', '=', 'paid').execute()
    const due = [...open, ...unanswered]
    for (const { payout_id, looks, state, return_reported_at: since } of due) {
      const isLong = since !== null && isLongQueried(looks)
      const pause = isLong ? pauseWhilePending(now.getTime() - since.getTime()) : pauseBefore(looks)
      const next_look_at = new Date(now.getTime() + pause)
      if (state !== 'sending') await changePayout(tx, system, { payout_id }, { next_look_at, looks: looks + 1 })
      await enqueueTask(tx, system, payout_id)
    }
    return due.length
  })
}
