import { depositSettings } from '@atrium/contract/deposits/settings.ts'
import { addAmounts, isMore } from '@atrium/contract/money/money.ts'
import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import { withdrawalSettings } from '@atrium/contract/withdrawals/calls.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

/** The settings that determine the number of approvals. */
const secondApproval = withdrawalSettings
  .pick({ withdrawal_four_eyes: true, withdrawal_four_eyes_above: true })
  .extend(depositSettings.shape)
export type SecondApproval = z.output<typeof secondApproval>
export type MoneyDirection = 'deposit' | 'withdrawal'
type Money = { type: MoneyDirection; amount: string; currency: string }

/** An amount under decision, with its approvers so far. */
export type ApprovalSubject = Money & {
  memberId: string
  /** Demo funds need one approval at any amount. */
  isLive: boolean
  approvedBy: readonly string[]
  /** The number stored at the request: raising the threshold later does not lower it. */
  neededAtRequest: number
  /** An account is given to the member, with the money on it. */
  isAssignment?: boolean
  /** The number of approvals that the decider's page showed. */
  seen?: number | undefined
}

/** How far back split amounts and own threshold changes of a staff member count against them. */
const memoryMs = 24 * 3_600_000

/** The approvals that an amount needs. A currency without a threshold needs two at any amount. */
export function peopleFor(settings: SecondApproval, { type, amount, currency }: Money): 1 | 2 {
  const { isOn, above } = thresholdsOf(settings, type)
  if (!isOn) return 1
  const limit = above.find((each) => each.currency === currency)
  return limit && !isMore(amount, limit.above) ? 1 : 2
}

function thresholdsOf(settings: SecondApproval, type: MoneyDirection) {
  const ofWithdrawals = { isOn: settings.withdrawal_four_eyes, above: settings.withdrawal_four_eyes_above }
  if (type === 'withdrawal' || settings.deposit_second_approval === 'as-withdrawals') return ofWithdrawals
  return { isOn: settings.deposit_second_approval === 'own', above: settings.deposit_second_approval_above }
}

/** The approvals that this decision by this staff member needs under the current settings. */
export async function countApprovalsNeeded(tx: Tx, staff: Staff, about: ApprovalSubject): Promise<number> {
  if (!about.isLive) return 1
  // After a first approval another person is needed, whatever has changed since.
  if (about.approvedBy.length > 0 || about.neededAtRequest > 1) return 2
  const { settings } = await readWorkspace(tx, staff)
  if (peopleFor(settings, about) > 1) return 2
  const given = addAmounts(await readApprovedAlone(tx, staff, about), await readAssignedAlone(tx, staff, about))
  const amount = addAmounts(about.amount, given)
  const before = await readOwnChanges(tx, staff, settings)
  return Math.max(...[settings, ...before].map((each) => peopleFor(each, { ...about, amount })))
}

const since = ({ context }: Staff) => new Date(context.clock.now().getTime() - memoryMs)

/**
 * The sum that this staff member alone approved for the member recently: splitting must not avoid the threshold, nor must
 * a payment that is said to have failed.
 */
async function readApprovedAlone(tx: Tx, staff: Staff, { memberId, type, currency }: ApprovalSubject): Promise<string> {
  const { sum } = await tx
    .selectFrom('balance_transactions as transaction')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'transaction.workspace_id')
        .onRef('account.account_id', '=', 'transaction.account_id'),
    )
    .select(sql<string>`coalesce(sum(transaction.amount), 0)::text`.as('sum'))
    .where('transaction.workspace_id', '=', staff.workspaceId)
    .where('transaction.member_id', '=', memberId)
    .where('transaction.type', '=', type)
    .where('transaction.currency', '=', currency)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('transaction.state', 'not in', ['pending', 'rejected', 'cancelled']),
        // Only their word says that its money came back: the transfer may have been made, and the next one would be too.
        exists(
          selectFrom('transaction_events as said')
            .select('said.event_id')
            .whereRef('said.workspace_id', '=', 'transaction.workspace_id')
            .whereRef('said.transaction_id', '=', 'transaction.transaction_id')
            .where('said.event', '=', 'withdrawal.payout-failed')
            .where('said.actor_kind', '=', 'staff'),
        ),
      ]),
    )
    .where('transaction.decided_by', '=', staff.staffId)
    .where('transaction.decided_at', '>', since(staff))
    .where('account.live_account', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('withdrawal_approvals as other')
            .select('other.staff_id')
            .whereRef('other.workspace_id', '=', 'transaction.workspace_id')
            .whereRef('other.transaction_id', '=', 'transaction.transaction_id')
            .whereRef('other.round', '=', 'transaction.approval_round')
            .where('other.staff_id', '<>', staff.staffId),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return sum
}

/** What an assigned account is worth, kept in the audit entry of its assignment. `is_alone`: one person decided. */
export type Assigned = { worth: string; currency: string; is_alone: boolean }

/**
 * The worth of the accounts that this staff member alone gave away recently: to the member, where a deposit is decided, or
 * to anybody, where another account is: nothing but their word says whose these are.
 */
async function readAssignedAlone(
  tx: Tx,
  staff: Staff,
  { memberId, type, currency, isAssignment = false }: ApprovalSubject,
): Promise<string> {
  if (type !== 'deposit') return '0'
  const { sum } = await tx
    .selectFrom('audit_log')
    .select(sql<string>`coalesce(sum((after ->> 'worth')::numeric), 0)::text`.as('sum'))
    .where('workspace_id', '=', staff.workspaceId)
    .where('actor_id', '=', staff.staffId)
    .where('at', '>', since(staff))
    .where('action', 'in', ['account.imported', 'account.owner-corrected'])
    .where(sql<boolean>`after ->> 'is_alone' = 'true' and after ->> 'currency' = ${currency}`)
    .$if(!isAssignment, (query) => query.where('member_id', '=', memberId))
    .executeTakeFirstOrThrow()
  return sum
}

const changedShape = secondApproval.partial()

/** The settings before each recent change by this staff member: nobody can raise a threshold for their own decision. */
async function readOwnChanges(tx: Tx, staff: Staff, settings: SecondApproval): Promise<SecondApproval[]> {
  const changes = await tx
    .selectFrom('audit_log')
    .select('before')
    .where('workspace_id', '=', staff.workspaceId)
    .where('actor_id', '=', staff.staffId)
    .where('at', '>', since(staff))
    .where('action', 'in', ['workspace.withdrawals-changed', 'workspace.deposits-changed'])
    .orderBy('at', 'desc')
    .orderBy('audit_id', 'desc')
    .execute()
  let current = settings
  return changes.map(({ before }) => {
    current = { ...current, ...(changedShape.parse(before ?? {}) as Partial<SecondApproval>) }
    return current
  })
}

/** The ids of these staff members who are active and still have the right. */
export async function readEntitled(tx: Tx, staff: Staff, right: DeskRight, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('staff_users')
    .select(['staff_id', 'role'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', 'in', [...ids])
    .where('status', '=', 'active')
    .execute()
  return rows.filter(({ role }) => holdsRight(role, right)).map(({ staff_id }) => staff_id)
}
