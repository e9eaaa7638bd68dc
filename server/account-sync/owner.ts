import { accountOwnerTexts, type correctAccountOwner } from '@atrium/contract/account-sync/desk-calls.ts'
import type { CallInput } from '@atrium/contract/call.ts'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { isMore } from '@atrium/contract/money/money.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import { allPasswordsDue } from '../accounts/due-passwords.ts'
import { accountAssigned } from '../accounts/notifications.ts'
import { type Actor, authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { mayGiveRealMoney } from '../funding/group-kind.ts'
import { lockAccount } from '../funding/withdrawable.ts'
import { isRepeated } from '../money-decisions/decided-once.ts'
import { decideByAmount, definePolicy } from '../money-decisions/policy.ts'
import type { Assigned } from '../money-decisions/second-approval.ts'
import { isSelfApproval } from '../money-decisions/self-approval.ts'
import { notify } from '../notifications/notify.ts'
import { schedulePersonChange } from '../openings/person-change.ts'
import { GatewayError } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'

export const assigningOwner = definePolicy({
  name: 'account.assign-owner',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'by-amount',
})

const proposed = 'account.owner-proposed'

type Subject = { kind: 'account_difference' | 'trading_account'; id: string }
type Assignment = {
  about: Subject
  memberId: string
  isLive: boolean
  /** Whether its money may be real, whatever staff call it. */
  isCounted: boolean
  /** What the member can withdraw then. */
  worth: Worth
  /** Earlier proposals were about something else. */
  since: Date
}
export type Worth = { amount: string; currency: string }

/**
 * Records one person's word that an account belongs to a member, who thereby gets its money. Returns what is given, for
 * the audit entry of the assignment, once as many people as the amount needs say the same; null before that. The row of
 * the subject is locked.
 */
export async function confirmOwner(tx: Tx, staff: Staff, wanted: Assignment): Promise<Assigned | null> {
  const { about, memberId, isLive, isCounted, worth } = wanted
  const approvedBy = (await readProposals(tx, staff, wanted))
    .filter(({ member_id, is_live }) => member_id === memberId && is_live === String(isLive))
    .map(({ actor_id }) => actor_id)
    .filter((id) => id !== null)
  const isWorth = isCounted && isMore(worth.amount, '0')
  const decider = await decideByAmount(tx, staff, assigningOwner, {
    ...{ memberId, type: 'deposit', ...worth, neededAtRequest: 1 },
    ...{ isLive: isWorth, isAssignment: true, approvedBy },
  })
  if (decider) return { worth: worth.amount, currency: worth.currency, is_alone: isWorth && approvedBy.length === 0 }
  await audit(tx, staff, { action: proposed, subject: about, memberId, after: { is_live: isLive } })
  return null
}

/** Each person's newest word about the subject, oldest first: who names another member has corrected the earlier one. */
async function readProposals(tx: Tx, { workspaceId }: Actor, { about, since }: Pick<Assignment, 'about' | 'since'>) {
  const said = await tx
    .selectFrom('audit_log')
    .select(['actor_id', 'member_id', sql<string>`after ->> 'is_live'`.as('is_live')])
    .where('workspace_id', '=', workspaceId)
    .where('subject_kind', '=', about.kind)
    .where('subject_id', '=', about.id)
    .where('action', '=', proposed)
    .where('at', '>=', since)
    .orderBy('audit_id')
    .execute()
  return said.filter(({ actor_id }, at) => !said.slice(at + 1).some((later) => later.actor_id === actor_id))
}

/** Balance or equity, whichever is more: what the owner of the account can withdraw now or after closing positions. */
export async function readWorth(staff: Staff, platformId: string, login: string): Promise<Worth> {
  const link = await findLink(systemActor(staff.context, staff.workspaceId), platformId)
  if ('problem' in link) refuse('unavailable', deskTexts.platformSilent)
  try {
    const { balance, equity, currency } = await link.gateway.readAccount(login)
    return { amount: isMore(equity, balance) ? equity : balance, currency }
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    return refuse('unavailable', deskTexts.platformSilent)
  }
}

/** Locks the named member, so that a concurrent erasure finishes first and the member is then unknown. */
export async function holdNamed(tx: Tx, staff: Staff, customerNumber: string | undefined): Promise<string | null> {
  const member = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('customer_number', '=', customerNumber ?? '')
    .where('status', '<>', 'erased')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return member?.member_id ?? null
}

type Wanted = Omit<CallInput<typeof correctAccountOwner>, 'id'>

/**
 * Moves an account that was assigned to the wrong member, while no money was moved on it through the portal and the
 * member did not open it here; what the portal read of it is read again. It takes as many people as its balance, and
 * neither member may be the deciding person. True once it is corrected.
 */
export async function correctOwner(staff: Staff, accountId: string, wanted: Wanted): Promise<boolean> {
  authorizeStaff(staff, assigningOwner.right)
  const seen = await reading(staff, (tx) => readAccount(tx, staff, accountId))
  if (!seen) refuseNotFound()
  const worth = await readWorth(staff, seen.platform_id, seen.platform_login)
  return inTransaction(staff, async (tx) => {
    const memberId = await holdBoth(tx, staff, wanted.customer_number, seen.member_id)
    if (memberId === null) return refuseFields({ customer_number: [deskTexts.differenceMember] })
    await lockAccount(tx, staff, accountId)
    const account = (await readAccount(tx, staff, accountId)) ?? refuseNotFound()
    if (await isRepeated(tx, staff, memberId)) return account.member_id === memberId
    if (account.member_id === memberId) refuseFields({ customer_number: [accountOwnerTexts.isOwner] })
    if (account.member_id !== seen.member_id) refuse('conflict', accountOwnerTexts.changed)
    if (!account.isCorrectable) refuse('illegal_move', accountOwnerTexts.isUsed)
    if (await isSelfApproval(tx, staff, account.member_id)) refuse('not_permitted', moneyDecisionTexts.selfApproval)
    const about = { kind: 'trading_account', id: accountId } as const
    const since = await readOwnedSince(tx, staff, account)
    const isCounted = await mayGiveRealMoney(tx, staff, accountId)
    const isLive = account.live_account
    const assigned = await confirmOwner(tx, staff, { about, memberId, isLive, isCounted, worth, since })
    if (!assigned) return false
    await moveAccount(tx, staff, account, { memberId, reason: wanted.reason, assigned })
    return true
  })
}

/** Locks both members by id, so that two corrections do not wait for each other, and the named one is not erased meanwhile. */
async function holdBoth(tx: Tx, staff: Staff, customerNumber: string, former: string): Promise<string | null> {
  const rows = await tx
    .selectFrom('members')
    .select(['member_id', 'customer_number', 'status'])
    .where('workspace_id', '=', staff.workspaceId)
    .where(({ or, eb }) => or([eb('customer_number', '=', customerNumber), eb('member_id', '=', former)]))
    .orderBy('member_id')
    .forNoKeyUpdate()
    .execute()
  const named = rows.find(({ customer_number, status }) => customer_number === customerNumber && status !== 'erased')
  return named?.member_id ?? null
}

const corrected = 'account.owner-corrected'
const removed = 'account.owner-removed'

/** Since when the account has its present owner: proposals before a correction are about the former one. */
async function readOwnedSince(tx: Tx, { workspaceId }: Actor, { account_id, created_at }: Account): Promise<Date> {
  const newest = await tx
    .selectFrom('audit_log')
    .select('at')
    .where('workspace_id', '=', workspaceId)
    .where('subject_kind', '=', 'trading_account')
    .where('subject_id', '=', account_id)
    .where('action', '=', corrected)
    .orderBy('audit_id', 'desc')
    .executeTakeFirst()
  return newest ? new Date(newest.at.getTime() + 1) : created_at
}

type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>

async function readAccount(tx: Tx, { workspaceId }: Actor, accountId: string) {
  const row = await tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'platform_id', 'platform_login', 'live_account', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { ...row, isCorrectable: await isUnused(tx, workspaceId, accountId) }
}

/** Whether the account was assigned rather than opened here, and no deposit or withdrawal was ever requested on it. */
async function isUnused(tx: Tx, workspaceId: string, accountId: string): Promise<boolean> {
  for (const table of ['account_openings', 'balance_transactions', 'deposit_orders'] as const) {
    const row = await tx
      .selectFrom(table)
      .select('account_id')
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .limit(1)
      .executeTakeFirst()
    if (row) return false
  }
  return true
}

type Correction = { memberId: string; reason: string; assigned: Assigned }

async function moveAccount(tx: Tx, staff: Staff, account: Account, correction: Correction): Promise<void> {
  const { workspaceId } = staff
  const { account_id, member_id: former } = account
  const { memberId, reason, assigned } = correction
  for (const table of ['account_figures', 'trade_deals', 'trade_histories'] as const)
    await tx
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('member_id', '=', former)
      .where('account_id', '=', account_id)
      .execute()
  // The former member's tickets about it stay theirs.
  await tx
    .updateTable('tickets')
    .set({ account_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', former)
    .where('account_id', '=', account_id)
    .execute()
  await tx
    .updateTable('trading_accounts')
    // With its login, so that the trigger writes the words by which its owner is found.
    .set({ member_id: memberId, platform_login: account.platform_login, ...allPasswordsDue })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', account_id)
    .execute()
  await tx
    .updateTable('members')
    // The same for the former owner, who is no longer found by it.
    .set(({ ref }) => ({ customer_number: ref('customer_number') }))
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', former)
    .execute()
  // The platform may hold the details of the former owner, sent with a change of theirs.
  await schedulePersonChange(tx, staff, memberId)
  const entry = { subject: { kind: 'trading_account', id: account_id }, before: { member: former } } as const
  // In the history of both.
  await audit(tx, staff, { ...entry, action: removed, memberId: former, after: { member: memberId, reason } })
  await audit(tx, staff, { ...entry, action: corrected, memberId, after: { member: memberId, reason, ...assigned } })
  await notify(tx, staff, accountAssigned(account, memberId))
}

type Proposal = { by: string; customer_number: string; is_you: boolean }

/** Whether the owner can be corrected, and the newest proposal that waits for a second person. */
export async function readOwnership(tx: Tx, staff: Staff, accountId: string) {
  const account = await readAccount(tx, staff, accountId)
  if (!account?.isCorrectable) return { may_correct_owner: false, owner_proposed: null }
  const about = { kind: 'trading_account', id: accountId } as const
  const since = await readOwnedSince(tx, staff, account)
  return { may_correct_owner: true, owner_proposed: await readProposal(tx, staff, { about, since }) }
}

async function readProposal(tx: Tx, staff: Staff, of: Pick<Assignment, 'about' | 'since'>): Promise<Proposal | null> {
  const newest = (await readProposals(tx, staff, of)).at(-1)
  if (!newest?.member_id || !newest.actor_id) return null
  const row = await tx
    .selectFrom('members as member')
    .innerJoin('staff_users as colleague', 'colleague.workspace_id', 'member.workspace_id')
    .select(['member.customer_number', 'colleague.name'])
    .where('member.workspace_id', '=', staff.workspaceId)
    .where('member.member_id', '=', newest.member_id)
    .where('colleague.staff_id', '=', newest.actor_id)
    .executeTakeFirst()
  return row
    ? { by: row.name, customer_number: String(row.customer_number), is_you: newest.actor_id === staff.staffId }
    : null
}
