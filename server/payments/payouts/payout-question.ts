import { sql } from 'kysely'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../../foundation/database/database.ts'
import { reach } from '../../foundation/failpoint.ts'
import { PaymentProblem } from '../../payment-providers/contract.ts'
import { type ReportedState, type StatusReport, statesWithoutOutcome } from '../../payment-providers/status-report.ts'
import { connectProvider, readProvider } from '../connections/provider.ts'
import { lateQueriesMs } from '../query-schedule.ts'
import { changePayout, type HeldPayout, holdPayout, type Payout } from './payout-order.ts'
import { applyPayoutReport, reviewUnanswered, toStaff } from './payout-settle.ts'

/** After this time and more than one query, an unknown payout counts as not received. */
const absentMs = 30 * 60_000
/** After this time without an answer, staff contact the provider. */
const silenceMs = 24 * 60 * 60_000
/** Time limit for an accepted payout without an outcome: banks take days, not weeks. */
const overdueMs = 5 * 24 * 60 * 60_000

/** Queries one payout and applies the answer like a proven webhook event. Never sends anything. */
export async function askAboutPayout(system: System, payoutId: string): Promise<void> {
  const found = await reading(system, async (tx) => {
    const payout = await tx
      .selectFrom('payout_orders')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('payout_id', '=', payoutId)
      .executeTakeFirst()
    return payout && { payout, provider: await readProvider(tx, system, payout.provider_id) }
  })
  if (!found) return
  const answer = await ask(system, found)
  await reach('payout-order.asked')
  await inTransaction(system, async (tx) => {
    if (answer && typeof answer !== 'string') await applyPayoutReport(tx, system, payoutId, answer)
    const held = await holdPayout(tx, system, payoutId)
    if (held?.payout.state === 'paid') return closeReturnQuestion(tx, system, held, { asked: found.payout, answer })
    if (!held || (held.payout.state !== 'checking' && held.payout.state !== 'accepted')) return
    const { payout } = held
    const now = system.context.clock.now()
    const since = (at: Date | null): number => now.getTime() - (at ?? now).getTime()
    if (answer === null) {
      if (payout.absent_since === null) await changePayout(tx, system, payout, { absent_since: now })
      else if (since(payout.absent_since) >= absentMs) await reviewAbsent(tx, system, held)
      return
    }
    if (answer === 'cannot be asked') {
      if (payout.state === 'checking') await toStaff(tx, system, held, 'cannot_be_asked')
    } else if (answer === 'no answer') {
      if (payout.state === 'checking' && since(payout.sent_at) >= silenceMs)
        await toStaff(tx, system, held, 'no_answer')
    } else if (payout.absent_since !== null) await changePayout(tx, system, payout, { absent_since: null })
    if (payout.state === 'accepted' && since(payout.sent_at) >= overdueMs) await toStaff(tx, system, held, 'overdue')
  })
}

const changedMeanwhile =
  'The connection was changed after it was sent: ask the provider in the account that it was sent with.'

/**
 * One that the provider accepted before may still be paid, so it is not sent again; nor is one that another merchant account
 * is asked about by now, which does not know it in any case.
 */
async function reviewAbsent(tx: Tx, system: System, held: HeldPayout): Promise<void> {
  if (held.payout.state === 'accepted') await toStaff(tx, system, held, 'overdue')
  else if (await isConnectionChanged(tx, system, held.payout))
    await toStaff(tx, system, held, 'no_answer', changedMeanwhile)
  else await toStaff(tx, system, held, 'not_known')
}

/** Whether settings changed since it was sent. A new secret alone is one of the same merchant account. */
async function isConnectionChanged(tx: Tx, system: System, payout: Payout): Promise<boolean> {
  const changed = await tx
    .selectFrom('audit_log')
    .select('audit_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('subject_kind', '=', 'payment_provider')
    .where('subject_id', '=', payout.provider_id)
    .where('action', '=', 'payment-provider.connection-changed')
    .where('at', '>=', payout.sent_at ?? payout.created_at)
    .where(sql<boolean>`after - 'secrets_replaced' <> '{}'::jsonb`)
    .executeTakeFirst()
  return changed !== undefined
}

type Answer = Awaited<ReturnType<typeof ask>>

/** Statuses that do not say where the money of a paid payout is. */
const openStates: readonly ReportedState[] = [...statesWithoutOutcome, 'unclear']

/** A message that came meanwhile made its own query due, so this answer is not its answer. */
async function closeReturnQuestion(
  tx: Tx,
  system: System,
  held: HeldPayout,
  { asked, answer }: { asked: Payout; answer: Answer },
): Promise<void> {
  const { return_reported_at: since, next_look_at } = held.payout
  if (since === null || next_look_at.getTime() !== asked.next_look_at.getTime()) return
  const isAnswered = answer !== null && typeof answer !== 'string' && !openStates.includes(answer.state)
  const isOver = system.context.clock.now().getTime() - since.getTime() >= lateQueriesMs
  if (!isAnswered && !isOver && answer !== 'cannot be asked') return
  if (!isAnswered) await reviewUnanswered(tx, system, held)
  await changePayout(tx, system, held.payout, { return_reported_at: null })
}

type Asked = { payout: Payout; provider: Awaited<ReturnType<typeof readProvider>> }

async function ask(
  system: System,
  { payout, provider }: Asked,
): Promise<StatusReport | null | 'no answer' | 'cannot be asked'> {
  try {
    const { readPayout } = await connectProvider(system, provider)
    if (!readPayout) return 'cannot be asked'
    const { attempt, reference, sent_at: sentAt } = payout
    return aboutPayout(payout, await readPayout({ attempt, reference, sentAt, at: system.context.clock.now() }))
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    system.context.log.warn({ payout: payout.payout_id, failure: problem.failure }, 'payout status not queried')
    return 'no answer'
  }
}

/** An answer about another payout does not end this one. */
function aboutPayout({ attempt }: Payout, reported: StatusReport | null): StatusReport | null | 'no answer' {
  if (reported === null || (reported.attempt === attempt && reported.kind === 'payout')) return reported
  const isEnd = reported.state === 'paid' || reported.state === 'declined' || reported.state === 'returned'
  return isEnd ? { ...reported, manualReview: 'unverified' } : 'no answer'
}
