import type { TransactionType } from '@atrium/contract/funding/states.ts'
import {
  isOperationNumber,
  type StuckOutcome,
  type StuckOutcomeSaid,
  stuckOutcomeTexts,
} from '@atrium/contract/funding/stuck-outcome.ts'
import { sql } from 'kysely'
import { type Actor, authorizeStaff, type Staff, type System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { holdName } from '../../foundation/database/named-lock.ts'
import { assertState, refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { decideByAmount, definePolicy } from '../../money-decisions/policy.ts'
import { GatewayError, type TradingGateway } from '../../trading-platforms/contract.ts'
import { isGone } from '../../trading-platforms/refusals.ts'
import { lockTransaction, recordEvent, type TransactionRow } from '../transaction.ts'
import { describeApprovalSubject } from '../transaction-approvals.ts'
import { lockIntent, postpone, scheduleStep, sinceOf } from './intent.ts'
import { isHistoryOfAnother } from './intent-account.ts'
import { type Intent, moveIntent } from './intent-moves.ts'
import { whenDone, whenRefused } from './intent-outcome.ts'
import { isOperationOfAnother } from './operation-number.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'
import { lockLatestIntent } from './stuck-credit.ts'

const settle = { right: 'money.decide', selfApproval: 'refused', approvals: 'by-amount' } as const
export const settlingDeposit = definePolicy({ name: 'deposit.settle-stuck', ...settle })
export const settlingWithdrawal = definePolicy({ name: 'withdrawal.settle-stuck', ...settle })

const ways = {
  deposit: { policy: settlingDeposit, said: 'deposit.outcome-said', decided: 'deposit.outcome-decided' },
  withdrawal: { policy: settlingWithdrawal, said: 'withdrawal.outcome-said', decided: 'withdrawal.outcome-decided' },
} as const

type Word = { outcome: StuckOutcome; operation?: string | undefined; reason: string }

/**
 * Records one person's word about an operation whose account was deleted on the platform while its outcome was unknown.
 * Once a second person says the same, the program settles the intent (`settleAsRecorded`): nobody guesses, and nothing
 * is refunded or paid before.
 */
export async function settleStuck(
  staff: Staff,
  transactionId: string,
  type: TransactionType,
  { outcome, operation, reason }: Word,
): Promise<void> {
  const { policy, said, decided } = ways[type]
  authorizeStaff(staff, policy.right)
  const word = { outcome, operation: outcome === 'executed' ? (operation ?? '') : null, reason }
  await inTransaction(staff, async (tx) => {
    // The intent first, like all other code: another order could deadlock.
    const intent = await lockLatestIntent(tx, staff, transactionId)
    const row = await lockTransaction(tx, staff, transactionId)
    if (row.type !== type) refuseNotFound()
    if (await isRepeated(tx, staff, row.member_id)) return
    const before = intent ? await readWords(tx, staff, row, intent) : []
    const decider = await decideByAmount(tx, staff, policy, {
      ...(await describeApprovalSubject(tx, staff, row)),
      approvedBy: before
        .filter((each) => each.outcome === word.outcome && each.operation === word.operation)
        .map(({ staff_id }) => staff_id),
      // Two at any amount: nothing but their word decides.
      neededAtRequest: 2,
    })
    if (!intent || !isForStaff(intent)) return refuse('illegal_move', stuckOutcomeTexts.notGone)
    if (word.operation !== null) await refuseUnfitOperation(tx, staff, intent, word.operation)
    await audit(tx, staff, {
      action: decider ? decided : said,
      subject: { kind: 'balance_transaction', id: transactionId },
      memberId: row.member_id,
      after: word,
    })
    if (decider) await recordDecision(tx, staff, { row, intent, word, event: decided })
  })
  staff.context.jobs.wake('funding.settle-intent')
}

const isForStaff = ({ state, account_gone_at, decided_outcome }: Intent): boolean =>
  state === 'stuck' && account_gone_at !== null && decided_outcome === null

type Decided = {
  row: TransactionRow
  intent: Intent
  word: { outcome: StuckOutcome; operation: string | null }
  event: 'deposit.outcome-decided' | 'withdrawal.outcome-decided'
}

async function recordDecision(tx: Tx, staff: Staff, { row, intent, word, event }: Decided): Promise<void> {
  const now = staff.context.clock.now()
  await tx
    .updateTable('platform_intents')
    .set({ decided_outcome: word.outcome, decided_ticket: word.operation, next_step_at: now })
    .where('workspace_id', '=', staff.workspaceId)
    .where('intent_id', '=', intent.intent_id)
    .execute()
  const note = word.operation === null ? 'Not executed' : `Executed as operation ${word.operation}`
  await recordEvent(tx, staff, row, event, note)
  await scheduleStep(tx, staff, intent.intent_id, now)
}

/** One operation of a platform settles one intent. The lock serializes decisions that name the same one. */
async function refuseUnfitOperation(tx: Tx, staff: Staff, intent: Intent, operation: string): Promise<void> {
  if (!isOperationNumber(operation)) refuseFields({ operation: [stuckOutcomeTexts.operation] })
  await holdName(tx, `platform-operation/${intent.platform_id}/${operation}`)
  if (await isOperationOfAnother(tx, staff, intent, operation))
    refuseFields({ operation: [stuckOutcomeTexts.operationKnown] })
}

const wordsMax = 20

/** Each word since the intent became stuck, oldest first. Words before another look-up were about an earlier state. */
async function readWords(
  tx: Tx,
  { workspaceId }: Actor,
  { transaction_id, member_id, type }: Pick<TransactionRow, 'transaction_id' | 'member_id' | 'type'>,
  { account_gone_at: since }: Pick<Intent, 'account_gone_at'>,
) {
  if (since === null) return []
  const rows = await tx
    .selectFrom('audit_log as entry')
    .innerJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'entry.workspace_id')
        .onRef('colleague.staff_id', '=', 'entry.actor_id'),
    )
    .select(['colleague.staff_id', 'colleague.name', 'entry.at'])
    .select([
      sql<StuckOutcome>`entry.after ->> 'outcome'`.as('outcome'),
      sql<string | null>`entry.after ->> 'operation'`.as('operation'),
      sql<string>`entry.after ->> 'reason'`.as('reason'),
    ])
    .where('entry.workspace_id', '=', workspaceId)
    .where('entry.member_id', '=', member_id)
    .where('entry.subject_id', '=', transaction_id)
    .where('entry.action', '=', type === 'deposit' ? ways.deposit.said : ways.withdrawal.said)
    .where('entry.at', '>=', since)
    .orderBy('entry.at', 'desc')
    .orderBy('entry.audit_id', 'desc')
    .limit(wordsMax)
    .execute()
  return rows.reverse()
}

/**
 * The platform's own answer, however late, counts more than a history that nobody can read, and than what staff recorded
 * without it.
 */
export async function resumeForAnswer(tx: Tx, system: System, intent: Intent): Promise<Intent> {
  if (intent.state !== 'stuck' || intent.account_gone_at === null) return intent
  return moveIntent(tx, system, intent, 'unknown')
}

type Shown = { account_gone: boolean; outcome_said: StuckOutcomeSaid }
type Read = Pick<Intent, 'state' | 'account_gone_at' | 'decided_outcome'>

/** Whether staff record the outcome of an intent, and the newest word that a second person confirms. */
export async function shapeStuckOutcome(
  tx: Tx,
  staff: Staff,
  row: Pick<TransactionRow, 'transaction_id' | 'member_id' | 'type'>,
  intent: Read,
): Promise<Shown> {
  const { state, account_gone_at, decided_outcome } = intent
  if (state !== 'stuck' || account_gone_at === null || decided_outcome !== null)
    return { account_gone: false, outcome_said: null }
  const newest = (await readWords(tx, staff, row, intent)).at(-1)
  if (!newest) return { account_gone: true, outcome_said: null }
  const { outcome, operation, reason, name, at, staff_id } = newest
  const said = { outcome, operation, reason, by: name, at: at.getTime(), is_you: staff_id === staff.staffId }
  return { account_gone: true, outcome_said: said }
}

const notExecuted = 'Two people recorded that the platform did not execute it.'

/**
 * Settles a stuck intent by the word of two people. If the platform shows the operation or the account again, its history
 * decides instead, and a named operation that has become another intent's is named anew; a platform that does not answer
 * is asked again later.
 */
export async function settleAsRecorded(system: System, intent: Intent, gateway: TradingGateway): Promise<void> {
  const shown = await readHistory(system, intent, gateway)
  await inTransaction(system, async (tx) => {
    const current = await lockIntent(tx, system, intent.intent_id)
    if (current?.state !== 'stuck' || current.decided_outcome === null) return
    const now = system.context.clock.now()
    if (shown === 'no answer') return postpone(tx, system, current, 60_000)
    if (shown === 'there' || (await isNamedInVain(tx, system, current))) {
      await moveIntent(tx, system, current, 'unknown', { next_step_at: now, absent_since: null })
      return scheduleStep(tx, system, current.intent_id, now)
    }
    if (current.decided_outcome === 'executed') {
      const ticket = current.decided_ticket
      assertState(ticket, 'an executed operation without its number')
      await moveIntent(tx, system, current, 'done', { ticket, done_at: now })
      return whenDone(tx, system, current, ticket)
    }
    await moveIntent(tx, system, current, 'rejected', { last_problem: notExecuted })
    // The platform may show it after all.
    await schedulePostSettlementCheck(tx, system, current.intent_id)
    return whenRefused(tx, system, current, notExecuted)
  })
}

/** Meanwhile the platform has answered another intent with the operation that people named for this one. */
async function isNamedInVain(tx: Tx, system: System, intent: Intent): Promise<boolean> {
  const { decided_ticket: named } = intent
  return named !== null && isOperationOfAnother(tx, system, intent, named)
}

async function readHistory(
  system: System,
  intent: Intent,
  gateway: TradingGateway,
): Promise<'there' | 'gone' | 'no answer'> {
  const { platform_login: login, tag } = intent
  try {
    const receipts = await gateway.findBalanceByTag(login, tag, sinceOf(intent))
    if (receipts.length > 0) return 'there'
    return (await isHistoryOfAnother(system, intent, gateway)) ? 'gone' : 'there'
  } catch (problem) {
    if (isGone(problem)) return 'gone'
    if (problem instanceof GatewayError) return 'no answer'
    throw problem
  }
}
