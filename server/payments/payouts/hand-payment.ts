import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { sql } from 'kysely'
import type { Actor, Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { Tx } from '../../foundation/database/database.ts'
import type { TransactionRow } from '../../funding/transaction.ts'
import { describeApprovalSubject } from '../../funding/transaction-approvals.ts'
import { type Decider, decideByAmount, definePolicy } from '../../money-decisions/policy.ts'

export const recordingPaid = definePolicy({
  name: 'withdrawal.record-paid',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'by-amount',
})

/** Against the word of the person who recorded it: the member would be paid twice if the transfer was made. */
export const disputingPaid = definePolicy({
  name: 'withdrawal.dispute-paid',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'by-amount',
})

const reported = 'withdrawal.paid-by-hand'
const disputed = 'withdrawal.payment-disputed'

export type HandPayment = { reference: string; reason: string }
type Paying = Pick<TransactionRow, 'transaction_id' | 'member_id'>

/**
 * Records one person's statement that a transfer was already made by hand, whatever has happened to the member since.
 * Returns the decider once a second person makes the same statement, with the same reference; null before that.
 */
export async function confirmHandPayment(
  tx: Tx,
  staff: Staff,
  withdrawal: TransactionRow,
  { reference, reason }: HandPayment,
): Promise<Decider | null> {
  const said = await readReports(tx, staff, withdrawal, reported)
  const decider = await decideByAmount(tx, staff, recordingPaid, {
    ...(await describeApprovalSubject(tx, staff, withdrawal)),
    ...{ approvedBy: said.filter((each) => each.reference === reference).map(({ staff_id }) => staff_id) },
    // Two at any amount: the checks that are passed over protect against a stolen session and a false name.
    neededAtRequest: 2,
  })
  await audit(tx, staff, {
    action: reported,
    subject: { kind: 'balance_transaction', id: withdrawal.transaction_id },
    memberId: withdrawal.member_id,
    after: { reference, reason },
  })
  return decider
}

/**
 * Records one person's word that a transfer that a colleague recorded as made has failed. Returns the decider once two
 * people say so; null before that, while a second person can still confirm the record instead.
 */
export async function disputeHandPayment(
  tx: Tx,
  staff: Staff,
  withdrawal: TransactionRow,
  reason: string,
): Promise<Decider | null> {
  const said = await readDisputes(tx, staff, withdrawal)
  const decider = await decideByAmount(tx, staff, disputingPaid, {
    ...(await describeApprovalSubject(tx, staff, withdrawal)),
    ...{ approvedBy: said.map(({ staff_id }) => staff_id), neededAtRequest: 2 },
  })
  if (decider) return decider
  await audit(tx, staff, {
    action: disputed,
    subject: { kind: 'balance_transaction', id: withdrawal.transaction_id },
    memberId: withdrawal.member_id,
    after: { reason },
  })
  return null
}

/** The newest report that waits for a second person, and who says since then that the payment failed. */
export async function readHandPayment(tx: Tx, staff: Staff, row: Paying): Promise<DeskWithdrawal['paid_by_hand']> {
  const newest = (await readReports(tx, staff, row, reported)).at(-1)
  if (!newest) return null
  const { reference, reason, name, at, staff_id } = newest
  const said = { reference, reason, by: name, at: at.getTime(), is_you: staff_id === staff.staffId }
  return { ...said, failed_by: (await readDisputes(tx, staff, row)).at(-1)?.name ?? null }
}

/** Whether a report waits for a second person. Until then the program must not pay the withdrawal as well. */
export async function isReportedPaid(tx: Tx, actor: Actor, row: Paying): Promise<boolean> {
  return (await readReports(tx, actor, row, reported)).length > 0
}

/** A record made after them starts anew: they were not about it. */
async function readDisputes(tx: Tx, actor: Actor, row: Paying) {
  const newest = (await readReports(tx, actor, row, reported)).at(-1)
  const said = await readReports(tx, actor, row, disputed)
  return said.filter(({ at }) => newest !== undefined && at >= newest.at)
}

const reportsMax = 20

/** Oldest first, of the current attempt: a payment that failed and whose refund was refused begins another. */
async function readReports(
  tx: Tx,
  { workspaceId }: Actor,
  { transaction_id, member_id }: Paying,
  action: typeof reported | typeof disputed,
) {
  const rows = await tx
    .selectFrom('audit_log as entry')
    .innerJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'entry.workspace_id')
        .onRef('colleague.staff_id', '=', 'entry.actor_id'),
    )
    .select(['colleague.staff_id', 'colleague.name', 'entry.at'])
    .select([
      sql<string>`entry.after ->> 'reference'`.as('reference'),
      sql<string>`entry.after ->> 'reason'`.as('reason'),
    ])
    .where('entry.workspace_id', '=', workspaceId)
    .where('entry.member_id', '=', member_id)
    .where('entry.action', '=', action)
    .where('entry.subject_id', '=', transaction_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('transaction_events as failed')
            .select('failed.event_id')
            .where('failed.workspace_id', '=', workspaceId)
            .where('failed.transaction_id', '=', transaction_id)
            .where('failed.event', '=', 'withdrawal.payout-failed')
            .whereRef('failed.at', '>=', 'entry.at'),
        ),
      ),
    )
    .orderBy('entry.at', 'desc')
    .orderBy('entry.audit_id', 'desc')
    .limit(reportsMax)
    .execute()
  return rows.reverse()
}
