import type { Actor, System } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { reach } from '../../foundation/failpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { type Approver, type Mover, requireCounted, requirePermit } from '../../money-decisions/policy.ts'
import { makeIntentTag } from '../../trading-platforms/intent-tag.ts'
import type { PlatformTiming } from '../../trading-platforms/platform-connections.ts'
import type { TransactionRow } from '../transaction.ts'
import { type Intent, type IntentState, moveIntent } from './intent-moves.ts'
import { whenUnknown } from './intent-outcome.ts'

/** The next step of an intent: wait, send, look up an earlier send, or settle what staff recorded about it. */
export type Step = { do: 'nothing' } | { do: 'send' | 'look-up' | 'settle-as-recorded'; intent: Intent }

type Transaction = Pick<TransactionRow, 'account_id' | 'member_id' | 'transaction_id' | 'amount' | 'currency'>

/** Records the credit of a deposit in the deciding transaction. */
export async function writeIntent(tx: Tx, actor: Approver, deposit: Transaction): Promise<void> {
  requireCounted(actor, deposit.member_id)
  return insertIntent(tx, actor, deposit, { amount: deposit.amount, note: 'Deposit' })
}

/** Records the debit of a withdrawal; the platform is asked to refuse it if the margin is too low (`crediting.ts`). */
export async function writeDebit(tx: Tx, actor: Approver, withdrawal: Transaction): Promise<void> {
  requireCounted(actor, withdrawal.member_id)
  return insertIntent(tx, actor, withdrawal, { amount: `-${withdrawal.amount}`, note: 'Withdrawal' })
}

/** Returns a withdrawal that could not be paid out to the account, including its fee. */
export function writeReversal(tx: Tx, actor: Mover, withdrawal: Transaction): Promise<void> {
  return insertIntent(tx, actor, withdrawal, { amount: withdrawal.amount, note: 'Returned' })
}

/**
 * The tag is generated here, before the first send, and every send carries it: it identifies the operation in the
 * account's history (trading-platforms/intent-tag.ts).
 */
async function insertIntent(
  tx: Tx,
  actor: Mover,
  { account_id, member_id, transaction_id, currency }: Transaction,
  what: { amount: string; note: string },
): Promise<void> {
  requirePermit(actor, member_id)
  const now = actor.context.clock.now()
  const account = await tx
    .selectFrom('trading_accounts')
    .select(['platform_id', 'platform_login'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  const intentId = newId()
  await tx
    .insertInto('platform_intents')
    .values({
      ...what,
      workspace_id: actor.workspaceId,
      intent_id: intentId,
      kind: 'balance',
      platform_id: account.platform_id,
      platform_login: account.platform_login,
      transaction_id,
      currency,
      tag: makeIntentTag(),
      state: 'ready',
      next_step_at: now,
      created_at: now,
    })
    .execute()
  await scheduleStep(tx, actor, intentId, now)
}

/** Starts the job slightly late: our clock and the database's may differ by some milliseconds. */
const skewMs = 250

export async function scheduleStep(tx: Tx, actor: Actor, intentId: string, at: Date): Promise<void> {
  const startAfter = new Date(at.getTime() + skewMs)
  const isNow = at.getTime() <= actor.context.clock.now().getTime()
  const data = { workspaceId: actor.workspaceId, id: intentId }
  await actor.context.jobs.enqueue(tx, 'funding.settle-intent', data, isNow ? {} : { startAfter })
}

export async function lockIntent(tx: Tx, system: System, intentId: string): Promise<Intent | null> {
  const row = await tx
    .selectFrom('platform_intents')
    .selectAll()
    .where('workspace_id', '=', system.workspaceId)
    .where('intent_id', '=', intentId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Determines an intent's next step and claims it for this process in one committed transaction. The lease is taken
 * before the request is sent; an expired lease means that its process died during the send, so the outcome is unknown.
 */
export async function takeStep(system: System, intentId: string, timing: PlatformTiming): Promise<Step> {
  return inTransaction(system, async (tx): Promise<Step> => {
    const intent = await lockIntent(tx, system, intentId)
    if (!intent) return { do: 'nothing' }
    const now = system.context.clock.now()
    const isDue = intent.next_step_at <= now
    const state = intent.state as IntentState
    if (state === 'ready' && isDue) return leaseSend(tx, system, intent, timing)
    if (state === 'sending' && intent.lease_until && intent.lease_until <= now) {
      await becomeUnknown(tx, system, intent, 'The process that sent it ended.')
      return { do: 'look-up', intent: { ...intent, state: 'unknown' } }
    }
    if (state === 'unknown' && isDue) {
      await postpone(tx, system, intent, timing.leaseMs)
      return { do: 'look-up', intent }
    }
    if (state === 'stuck' && intent.decided_outcome !== null && isDue) {
      await postpone(tx, system, intent, timing.leaseMs)
      return { do: 'settle-as-recorded', intent }
    }
    return { do: 'nothing' }
  })
}

async function leaseSend(tx: Tx, system: System, intent: Intent, timing: PlatformTiming): Promise<Step> {
  await reach('intent.before-lease')
  if (await isAccountBusy(tx, system, intent)) {
    await postpone(tx, system, intent, 2_000)
    return { do: 'nothing' }
  }
  const now = system.context.clock.now()
  const leaseUntil = new Date(now.getTime() + timing.leaseMs)
  const leased = await moveIntent(tx, system, intent, 'sending', {
    attempt: intent.attempt + 1,
    lease_until: leaseUntil,
    next_step_at: leaseUntil,
    first_sent_at: intent.first_sent_at ?? now,
    last_sent_at: now,
    absent_since: null,
  })
  // After a crash this job takes over when the lease expires; otherwise it finds nothing to do.
  await scheduleStep(tx, system, intent.intent_id, leaseUntil)
  return { do: 'send', intent: leased }
}

/**
 * Takes a full new lease just before a send with a long preparation. False when another process has taken over; an
 * expired lease that nobody claimed still belongs to this process, because the row is locked for the check.
 */
export async function renewLease(system: System, intent: Intent, timing: PlatformTiming): Promise<boolean> {
  return inTransaction(system, async (tx) => {
    const current = await lockIntent(tx, system, intent.intent_id)
    if (current?.state !== 'sending' || current.attempt !== intent.attempt) return false
    const now = system.context.clock.now()
    const leaseUntil = new Date(now.getTime() + timing.leaseMs)
    await tx
      .updateTable('platform_intents')
      .set({ lease_until: leaseUntil, next_step_at: leaseUntil, last_sent_at: now })
      .where('workspace_id', '=', system.workspaceId)
      .where('intent_id', '=', intent.intent_id)
      .execute()
    await scheduleStep(tx, system, intent.intent_id, leaseUntil)
    return true
  })
}

/**
 * One send at a time per account: two in progress would make its balance and any look-up ambiguous. Locking the account
 * row serializes processes that check together.
 */
async function isAccountBusy(tx: Tx, system: System, intent: Intent): Promise<boolean> {
  await tx
    .selectFrom('trading_accounts')
    .select('account_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', intent.platform_id)
    .where('platform_login', '=', intent.platform_login)
    .forUpdate()
    .execute()
  const other = await tx
    .selectFrom('platform_intents')
    .select('intent_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', intent.platform_id)
    .where('platform_login', '=', intent.platform_login)
    .where('intent_id', '<>', intent.intent_id)
    .where('state', 'in', ['sending', 'unknown'])
    .executeTakeFirst()
  return other !== undefined
}

/** Sets the next step's time and its job without a change of state. */
export async function postpone(
  tx: Tx,
  system: System,
  intent: Intent,
  delayMs: number,
  also: { absent_since?: Date; last_problem?: string } = {},
): Promise<void> {
  const nextStepAt = new Date(system.context.clock.now().getTime() + delayMs)
  await tx
    .updateTable('platform_intents')
    .set({ ...also, next_step_at: nextStepAt })
    .where('workspace_id', '=', system.workspaceId)
    .where('intent_id', '=', intent.intent_id)
    .execute()
  await scheduleStep(tx, system, intent.intent_id, nextStepAt)
}

export async function becomeUnknown(tx: Tx, system: System, intent: Intent, problem: string): Promise<void> {
  const now = system.context.clock.now()
  await moveIntent(tx, system, intent, 'unknown', { next_step_at: now, lease_until: null, last_problem: problem })
  await scheduleStep(tx, system, intent.intent_id, now)
  await whenUnknown(tx, system, intent)
}

/** The earliest time at which a deal of this intent can be in the history, in Unix seconds. */
export function sinceOf(intent: Intent): number {
  return Math.floor((intent.first_sent_at ?? intent.created_at).getTime() / 1000)
}
