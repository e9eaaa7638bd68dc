import type { System } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { reach } from '../../foundation/failpoint.ts'
import { describeProblem } from '../../observability/log.ts'
import { judgeAbsence } from '../../trading-platforms/absence.ts'
import { GatewayError, type GatewayFailure } from '../../trading-platforms/contract.ts'
import { judgeReceipts } from '../../trading-platforms/intent-tag.ts'
import type { PlatformLink, PlatformTiming } from '../../trading-platforms/platform-connections.ts'
import { findLink, findPlace } from '../../trading-platforms/platform-link.ts'
import { isGone, refusedHere } from '../../trading-platforms/refusals.ts'
import { becomeUnknown, lockIntent, postpone, renewLease, scheduleStep, sinceOf, takeStep } from './intent.ts'
import { isAccountClosed, isHistoryOfAnother, knownRegistration } from './intent-account.ts'
import { type Intent, moveIntent } from './intent-moves.ts'
import { whenDone, whenRefused, whenSentAgain } from './intent-outcome.ts'
import { askedAt, findLostOperations, isAskedBeforeRestore } from './lost-operations.ts'
import { isOperationOfAnother } from './operation-number.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'
import { resumeForAnswer, settleAsRecorded } from './stuck-outcome.ts'
import { findUnmatchedCandidates } from './unmatched-candidates.ts'

/** After this many resends the intent becomes stuck for staff: repeated absence has a systematic cause. */
const resendsMax = 3

/**
 * Processes one intent. Safe to run at any time, any number of times, in any number of processes: the step is claimed
 * in a transaction first, and an unknown outcome is looked up and never resent blindly.
 */
export async function settleIntent(system: System, intentId: string): Promise<void> {
  const place = await findPlace(system, intentId)
  if (!place) return
  const link = await findLink(system, place.platform_id)
  if ('problem' in link) return waitForLink(system, intentId, link.problem)
  const step = await takeStep(system, intentId, link.timing)
  if (step.do === 'send') await send(system, step.intent, link)
  if (step.do === 'look-up') await lookUp(system, step.intent, link)
  if (step.do === 'settle-as-recorded') await settleAsRecorded(system, step.intent, link.gateway)
}

/**
 * Postpones the intent while its platform has no link. Applies to every open state, or the oldest intents would fill
 * each sweep.
 */
async function waitForLink(system: System, intentId: string, problem: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const intent = await lockIntent(tx, system, intentId)
    const isWaiting = intent !== null && (isOpen(intent) || intent.decided_outcome !== null)
    if (!isWaiting || intent.next_step_at > system.context.clock.now()) return
    await postpone(tx, system, intent, 60_000, { last_problem: problem })
  })
}

/** Neither final nor stuck. */
function isOpen(intent: Intent): boolean {
  return ['ready', 'sending', 'unknown'].includes(intent.state)
}

async function send(system: System, intent: Intent, link: PlatformLink): Promise<void> {
  await reach('intent.leased')
  try {
    if (!(await isCertainlyNew(system, intent, link)) && !(await mayStillSend(system, intent, link))) return
    if (await isAccountClosed(system, intent)) throw refusedHere('not_found')
    const known = await knownRegistration(system, intent)
    await reach('intent.before-call')
    const receipt = await link.gateway.changeBalance({
      tag: intent.tag,
      login: intent.platform_login,
      kind: 'balance',
      amount: intent.amount,
      currency: intent.currency,
      ...known,
      note: intent.note,
      refuseIfMarginTooLow: intent.amount.startsWith('-'),
    })
    await reach('intent.called')
    await recordDone(system, intent, receipt.ticket, refuseAnswerOfAnother)
  } catch (problem) {
    await recordFailure(system, intent, failureOf(system, problem))
  }
}

/** Requested after this process opened its link and never sent, so no operation in the account's history can be it. */
async function isCertainlyNew(system: System, intent: Intent, link: PlatformLink): Promise<boolean> {
  return intent.attempt === 1 && (await askedAt(system, intent)) >= link.openedAt
}

async function isStuckOnLostOperation(system: System, intent: Intent, { gateway }: PlatformLink): Promise<boolean> {
  const lost = await findLostOperations(system, intent, gateway)
  if (lost.length === 0) return false
  const found = `The platform has the same amount with an unknown tag, as operation ${lost.slice(0, 3).join(', ')}.`
  const advice =
    'If that is this one, from before a backup was restored, put this tag in its comment, then choose “Check again”.'
  await recordStuck(system, intent, `${found} ${advice}`, { unmatchedCandidates: lost })
  return true
}

/**
 * The look-up proves that an earlier try did not run; if it fails nothing was sent, so it is not a refusal of the
 * credit. Reading a long history can outlast the lease, so it is renewed afterwards, and a process that lost it sends
 * nothing.
 */
async function mayStillSend(system: System, intent: Intent, link: PlatformLink): Promise<boolean> {
  try {
    if (intent.attempt === 1 && (await isStuckOnLostOperation(system, intent, link))) return false
    if (await settleIfFound(system, intent, link)) return false
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    // Nothing was sent before, so the platform's refusal of this send is the whole outcome.
    if (isGone(problem))
      return !(await isStuckOnDeletedAccount(system, intent)) && renewLease(system, intent, link.timing)
    const { reason, platformCode, platformText } = problem
    throw new GatewayError({ outcome: 'not_executed', reason, sent: false, platformCode, platformText })
  }
  return renewLease(system, intent, link.timing)
}

function failureOf(system: System, problem: unknown): GatewayFailure {
  if (problem instanceof GatewayError) return problem
  system.context.log.error({ err: describeProblem(problem) }, 'crediting fault')
  return { outcome: 'unknown', reason: 'protocol', sent: true }
}

/**
 * A deal with the same tag settles the intent: one match is done; several, or another amount, are stuck. An operation
 * of the same amount without our tag is stuck too, since it may be this credit with an edited comment.
 */
async function settleIfFound(system: System, intent: Intent, link: PlatformLink): Promise<boolean> {
  const since = sinceOf(intent)
  const receipts = await link.gateway.findBalanceByTag(intent.platform_login, intent.tag, since)
  const judged = judgeReceipts(receipts, intent.amount)
  if (judged.verdict === 'absent')
    return (await isStuckOnOtherHistory(system, intent, link)) || isStuckOnUnmatchedCandidate(system, intent, link)
  if (judged.verdict === 'found') await recordDone(system, intent, judged.receipt.ticket)
  else
    await recordStuck(system, intent, `Look-up found ${judged.why === 'several' ? 'several deals' : 'another amount'}.`)
  return true
}

async function isStuckOnUnmatchedCandidate(
  system: System,
  intent: Intent,
  { gateway }: PlatformLink,
): Promise<boolean> {
  const unmatchedCandidates = await findUnmatchedCandidates(system, intent, gateway)
  if (unmatchedCandidates.length === 0) return false
  const found = `Look-up found the same amount without our tag, as operation ${unmatchedCandidates.slice(0, 3).join(', ')}.`
  const advice = 'If that is this credit, restore the tag in its comment, then choose “Check again”.'
  await recordStuck(system, intent, `${found} ${advice}`, { unmatchedCandidates })
  return true
}

const accountDeleted =
  'The platform no longer knows this account, so nobody can look up whether it executed this. Two people record what happened.'

/**
 * A deleted account shows no operation, which proves nothing about an earlier send: neither a refund nor another send may
 * follow from it. Staff find out elsewhere and record the outcome (`stuck-outcome.ts`).
 */
async function isStuckOnDeletedAccount(system: System, intent: Intent): Promise<boolean> {
  const mayHaveRun = intent.state === 'unknown' || intent.resends > 0 || (await isAskedBeforeRestore(system, intent))
  if (mayHaveRun) await recordStuck(system, intent, accountDeleted, { isAccountGone: true })
  return mayHaveRun
}

/** The same of an account that is closed here, or whose number is somebody else's on the platform, with another history. */
const isStuckOnOtherHistory = async (system: System, intent: Intent, { gateway }: PlatformLink): Promise<boolean> =>
  (await isHistoryOfAnother(system, intent, gateway)) && isStuckOnDeletedAccount(system, intent)

/** Looks an unknown outcome up in the account's history. Absence counts only when it lasts (see `recordAbsent`). */
async function lookUp(system: System, intent: Intent, link: PlatformLink): Promise<void> {
  const lookUpStartedAt = system.context.clock.now()
  try {
    if (await settleIfFound(system, intent, link)) return
    await recordAbsent(system, intent, link.timing, lookUpStartedAt)
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    if (isGone(problem) && (await isStuckOnDeletedAccount(system, intent))) return
    await inState(system, intent, ['unknown'], (tx, current) =>
      postpone(tx, system, current, backoffMs(system, current), { last_problem: problem.reason }),
    )
  }
}

/**
 * As long as the outage so far, within 1 s and 60 s: limits load on a platform that is down and finds its recovery
 * soon.
 */
function backoffMs(system: System, intent: Intent): number {
  const since = intent.first_sent_at ?? intent.created_at
  const elapsedMs = system.context.clock.now().getTime() - since.getTime()
  return Math.min(60_000, Math.max(1_000, elapsedMs))
}

/**
 * Records an outcome only while its attempt is current: a process that outlived its lease must not write about the send
 * of another process.
 */
async function inState(
  system: System,
  intent: Intent,
  states: string[],
  work: (tx: Tx, current: Intent) => Promise<void>,
): Promise<void> {
  await inTransaction(system, async (tx) => {
    const current = await lockIntent(tx, system, intent.intent_id)
    if (current && current.attempt === intent.attempt && states.includes(current.state)) await work(tx, current)
  })
}

/** Ticket, outcome, timeline and audit entry in one commit: the transaction continues only once the ticket is known. */
async function recordDone(
  system: System,
  intent: Intent,
  ticket: string,
  check?: (tx: Tx, system: System, intent: Intent, ticket: string) => Promise<void>,
): Promise<void> {
  await reach('intent.before-result')
  await inTransaction(system, async (tx) => {
    await check?.(tx, system, intent, ticket)
    const locked = await lockIntent(tx, system, intent.intent_id)
    if (locked?.state === 'done' && locked.ticket === ticket) return
    const current = locked && (await resumeForAnswer(tx, system, locked))
    if (!current || !isOpen(current)) {
      const fields = { intent: intent.intent_id, ticket, state: current?.state, known: current?.ticket }
      system.context.log.error(fields, 'unexpected credit found for an intent')
      return
    }
    const now = system.context.clock.now()
    await moveIntent(tx, system, current, 'done', { ticket, done_at: now, lease_until: null })
    await whenDone(tx, system, current, ticket)
    await schedulePostSettlementCheck(tx, system, intent.intent_id)
  })
  await reach('intent.result-committed')
}

/**
 * An answer with the operation of another intent is the answer to another call: the outcome is unknown, and the look-up by
 * tag finds this one's own.
 */
async function refuseAnswerOfAnother(tx: Tx, system: System, intent: Intent, ticket: string): Promise<void> {
  if (!(await isOperationOfAnother(tx, system, intent, ticket))) return
  system.context.log.error(
    { intent: intent.intent_id, ticket },
    'a platform answered with the operation of another intent',
  )
  throw new GatewayError({ outcome: 'unknown', reason: 'protocol', sent: true })
}

async function recordFailure(system: System, intent: Intent, failure: GatewayFailure): Promise<void> {
  const problem = failure.platformCode === undefined ? failure.reason : `${failure.reason} (${failure.platformCode})`
  const platform = { platform_code: failure.platformCode ?? null, platform_text: failure.platformText ?? null }
  await inState(system, intent, ['sending'], async (tx, current) => {
    if (failure.outcome === 'unknown') return becomeUnknown(tx, system, current, problem)
    if (failure.outcome === 'not_executed') {
      const nextStepAt = new Date(system.context.clock.now().getTime() + backoffMs(system, current))
      const again = { ...platform, last_problem: problem, lease_until: null, next_step_at: nextStepAt }
      await moveIntent(tx, system, current, 'ready', again)
      return scheduleStep(tx, system, current.intent_id, nextStepAt)
    }
    await moveIntent(tx, system, current, 'rejected', { ...platform, last_problem: problem, lease_until: null })
    // An earlier send that was judged absent may still execute.
    if (current.resends > 0) await schedulePostSettlementCheck(tx, system, current.intent_id)
    await whenRefused(tx, system, current, problem)
  })
}

/**
 * Resends the same tag only after proven absence: if the first send executes after all, both deals carry the tag and
 * the post-settlement check counts two.
 */
async function recordAbsent(
  system: System,
  intent: Intent,
  timing: PlatformTiming,
  lookUpStartedAt: Date,
): Promise<void> {
  await inState(system, intent, ['unknown'], async (tx, current) => {
    const now = system.context.clock.now()
    const observation = {
      sentAt: current.last_sent_at ?? current.created_at,
      absentSince: current.absent_since,
      lookUpStartedAt,
      now,
    }
    const absence = judgeAbsence(observation, timing)
    if (!absence.isProven) return postpone(tx, system, current, absence.dueInMs, { absent_since: absence.since })
    if (current.resends >= resendsMax) {
      await moveIntent(tx, system, current, 'stuck', { last_problem: 'Sent several times and never found.' })
      return
    }
    const again = { resends: current.resends + 1, next_step_at: now, absent_since: null, lease_until: null }
    await moveIntent(tx, system, current, 'ready', again)
    await whenSentAgain(tx, system, current)
    await scheduleStep(tx, system, current.intent_id, now)
  })
}

type Stuck = { unmatchedCandidates?: readonly string[]; isAccountGone?: boolean }

/** Leaves the decision to staff, who see the account's deals. */
async function recordStuck(
  system: System,
  intent: Intent,
  problem: string,
  { unmatchedCandidates = [], isAccountGone = false }: Stuck = {},
): Promise<void> {
  const fields = { intent: intent.intent_id, problem, unmatchedCandidates }
  system.context.log.error(fields, 'an intent needs manual review')
  await inTransaction(system, async (tx) => {
    const current = await lockIntent(tx, system, intent.intent_id)
    if (!current || !isOpen(current)) return
    let held = current
    if (held.state === 'sending') {
      await becomeUnknown(tx, system, held, problem)
      held = { ...held, state: 'unknown' }
    }
    const seen = {
      look_alikes: [...held.look_alikes, ...unmatchedCandidates],
      account_gone_at: isAccountGone ? system.context.clock.now() : null,
    }
    await moveIntent(tx, system, held, 'stuck', { ...seen, last_problem: problem, lease_until: null })
  })
}
