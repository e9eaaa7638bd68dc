import type { TransactionState } from '@atrium/contract/funding/states.ts'
import { isProvider, ruleFor } from '@atrium/contract/withdrawals/calls.ts'
import type { System } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { assertState } from '../../foundation/errors.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { notifyDepositor } from '../deposit-notifications.ts'
import {
  lockTransaction,
  moveTransaction,
  recordEvent,
  type TransactionEvent,
  type TransactionRow,
} from '../transaction.ts'
import { notifyOwner } from '../withdrawal-notifications.ts'
import type { Intent } from './intent-moves.ts'
import { isFromBeforeRestore } from './restore-moment.ts'

/** The intent's purpose: a deposit's credit, a withdrawal's debit, or the reversal of a debit. */
export type Purpose = 'credit' | 'debit' | 'credit-back'

export function purposeOf(row: Pick<TransactionRow, 'type'>, intent: Pick<Intent, 'amount'>): Purpose {
  if (row.type === 'deposit') return 'credit'
  return intent.amount.startsWith('-') ? 'debit' : 'credit-back'
}

type OutcomeEvents = Record<'unknown' | 'again' | 'refused' | 'done', TransactionEvent>

const events: Record<Purpose, OutcomeEvents> = {
  credit: {
    unknown: 'deposit.being-checked',
    again: 'deposit.sent-again',
    refused: 'deposit.refused-by-platform',
    done: 'deposit.credited',
  },
  debit: {
    unknown: 'withdrawal.being-checked',
    again: 'withdrawal.sent-again',
    refused: 'withdrawal.refused-by-platform',
    done: 'withdrawal.debited',
  },
  'credit-back': {
    unknown: 'withdrawal.return-being-checked',
    again: 'withdrawal.sent-again',
    refused: 'withdrawal.return-refused',
    done: 'withdrawal.returned',
  },
}

/** The transaction's state while its intent is in progress. A reversal has one state throughout. */
const underWay: Record<Purpose, TransactionState> = {
  credit: 'crediting',
  debit: 'debiting',
  'credit-back': 'returning',
}

export function transactionOf(tx: Tx, system: System, intent: Intent): Promise<TransactionRow> {
  assertState(intent.transaction_id, 'a balance intent without a transaction')
  return lockTransaction(tx, system, intent.transaction_id)
}

/** The member sees "Verifying" from here on, never "failed, try again". */
export async function whenUnknown(tx: Tx, system: System, intent: Intent): Promise<void> {
  const row = await transactionOf(tx, system, intent)
  const purpose = purposeOf(row, intent)
  const event = events[purpose].unknown
  if (row.state !== underWay[purpose]) return
  if (purpose === 'credit-back') return recordEvent(tx, system, row, event)
  await moveTransaction(tx, system, row, { to: 'checking', event })
}

export async function whenSentAgain(tx: Tx, system: System, intent: Intent): Promise<void> {
  const row = await transactionOf(tx, system, intent)
  const purpose = purposeOf(row, intent)
  const event = events[purpose].again
  if (purpose === 'credit-back') return recordEvent(tx, system, row, event)
  if (row.state === 'checking') await moveTransaction(tx, system, row, { to: underWay[purpose], event })
}

/**
 * Back to the desk, where staff may decide again, since the member did not cause the platform's refusal; earlier
 * approvals lapse, and a payment that a provider has becomes a payment exception.
 */
export async function whenRefused(tx: Tx, system: System, intent: Intent, problem: string): Promise<void> {
  const row = await transactionOf(tx, system, intent)
  const purpose = purposeOf(row, intent)
  const refused = { event: events[purpose].refused, note: problem }
  if (purpose === 'credit-back') return moveTransaction(tx, system, row, { ...refused, to: 'paying' })
  const undecided = { decided_by: null, decided_at: null }
  const set = { ...undecided, approval_round: row.approval_round + 1 }
  await moveTransaction(tx, system, row, { ...refused, to: 'pending', set })
  if (purpose === 'credit') await system.context.providers.reviewRefusedCredit(tx, system, row)
}

/** The ticket is known: a deposit is approved with it, a withdrawal can be paid out, or its amount is back. */
export async function whenDone(tx: Tx, system: System, intent: Intent, ticket: string): Promise<void> {
  const row = await transactionOf(tx, system, intent)
  const purpose = purposeOf(row, intent)
  const event = events[purpose].done
  if (row.state !== underWay[purpose] && !(row.state === 'checking' && purpose !== 'credit-back')) return
  if (purpose === 'credit') {
    await moveTransaction(tx, system, row, { to: 'approved', event, set: { platform_ticket: ticket } })
    return notifyDepositor(tx, system, row.transaction_id, { what: 'approved' })
  }
  if (purpose === 'credit-back') {
    await moveTransaction(tx, system, row, { to: 'rejected', event, set: { rejection_reason: 'payout_failed' } })
    return notifyOwner(tx, system, row.transaction_id, { what: 'returned' })
  }
  const now = system.context.clock.now()
  const debited = { platform_ticket: ticket, debited_at: now }
  // A demo account has no payout: the debit completes the withdrawal.
  if (await isLive(tx, system, row)) {
    await moveTransaction(tx, system, row, { to: 'paying', event, set: debited })
    return startPayout(tx, system, row)
  }
  await moveTransaction(tx, system, row, { to: 'approved', event, set: { ...debited, paid_at: now } })
}

const mayBePaid = 'Requested before a backup was restored. Check whether it was already paid.'

/**
 * Starts the provider's payout in the commit of the debit, unless staff start payouts by hand or must check this one
 * first.
 */
async function startPayout(tx: Tx, system: System, row: TransactionRow): Promise<void> {
  if (await isFromBeforeRestore(tx, system, row))
    return recordEvent(tx, system, row, 'withdrawal.payout-for-staff', mayBePaid)
  if (!isProvider(row.destination ?? '')) return
  const { settings } = await readWorkspace(tx, system)
  const { started_by_staff } = ruleFor(settings.withdrawal_rules, row.destination ?? '', row.currency)
  if (!started_by_staff) await system.context.providers.startPayout(tx, system, row)
}

async function isLive(tx: Tx, system: System, row: TransactionRow): Promise<boolean> {
  const account = await tx
    .selectFrom('trading_accounts')
    .select('live_account')
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  return account.live_account
}
