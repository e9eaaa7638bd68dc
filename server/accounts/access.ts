import { type AccountAccess, accessNotifications, accessOf } from '@atrium/contract/accounts/access.ts'
import { accessTexts } from '@atrium/contract/accounts/access-texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Updateable } from 'kysely'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { TradingAccounts } from '../foundation/database/database.generated.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { notify } from '../notifications/notify.ts'
import { describeProblem } from '../observability/log.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { type AccountState, GatewayError, type TradingGateway } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { isReused } from './differences.ts'

/** Longer than any call to a platform takes. */
const leaseMs = 120_000

type Wanted = { access: AccountAccess; reason: string; seen?: AccountAccess | undefined }
type Account = Awaited<ReturnType<typeof readAccount>>

const rightsOf = {
  full: { enabled: true, tradingAllowed: true },
  read_only: { enabled: true, tradingAllowed: false },
  disabled: { enabled: false, tradingAllowed: false },
} as const satisfies Record<AccountAccess, object>

const isAs = (state: AccountState, access: AccountAccess): boolean =>
  state.enabled === rightsOf[access].enabled && state.tradingAllowed === rightsOf[access].tradingAllowed

/** Whether the access may give more than the platform or our record does. */
const widens = (wanted: AccountAccess, { status }: Account, { enabled }: AccountState): boolean =>
  wanted === 'full' || (wanted === 'read_only' && (!enabled || status === 'disabled'))

/**
 * Sets the access of an account on its platform and then here. Reads the platform before sending anything, so that a
 * retry after a lost answer only records what the first call did.
 */
export async function changeAccountAccess(staff: Staff, accountId: string, { seen, ...wanted }: Wanted): Promise<void> {
  authorizeStaff(staff, 'accounts.restrict')
  const account = await reading(staff, (tx) => readAccount(tx, staff, accountId))
  if (account.deleted || account.archived) refuse('illegal_move', accessTexts.unusable)
  // A repeated form finds its own change.
  if (seen !== undefined && ![seen, wanted.access].includes(accessOf(account))) refuse('conflict', accessTexts.changed)
  const link = await findLink(systemActor(staff.context, staff.workspaceId), account.platform_id)
  if ('problem' in link) refuse('unavailable', deskTexts.platformSilent)
  const { gateway } = link
  const before = await gateway.readAccount(account.platform_login).catch(asFailure)
  if (before instanceof GatewayError) refuse('unavailable', deskTexts.platformSilent)
  if (isReused(account, before)) refuse('illegal_move', accessTexts.otherAccount)
  const isSet = isAs(before, wanted.access)
  if (widens(wanted.access, account, before))
    await reading(staff, async (tx) => {
      await refuseSelfDecision(tx, staff, account.member_id)
      // An unattended session must not give back what was taken.
      if (!isSet || accessOf(account) !== wanted.access) await requireProof(tx, staff)
    })
  const lease = isSet ? null : await setAtPlatform(staff, gateway, account, wanted)
  await inTransaction(staff, (tx) => record(tx, staff, account, { ...wanted, lease }))
}

function readAccount(tx: Tx, staff: Staff, accountId: string) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'platform_id', 'platform_login', 'status', 'enable_read_only'])
    .select(['archived', 'deleted', 'access_leased_until', 'platform_registered_at'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => refuseNotFound())
}

/** Returns the lease once the platform shows the wanted access; refuses when unchanged or when the outcome is unknown. */
async function setAtPlatform(staff: Staff, gateway: TradingGateway, account: Account, wanted: Wanted): Promise<Date> {
  const { platform_login: login } = account
  const lease = await inTransaction(staff, async (tx) => {
    await write(tx, staff, account, 'asked', wanted)
    return takeLease(tx, staff, account)
  })
  const failure = await gateway.setAccess(login, rightsOf[wanted.access]).then(() => null, asFailure)
  if (failure) {
    const { outcome, reason } = failure
    staff.context.log.warn({ err: describeProblem(failure), outcome, reason }, 'account access not set')
  }
  const now = await gateway.readAccount(login).catch(asFailure)
  if (!(now instanceof GatewayError) && isAs(now, wanted.access)) return lease
  // A request whose answer was lost may still arrive after the account was read.
  const isKnown = !(now instanceof GatewayError) && failure?.outcome !== 'unknown'
  await inTransaction(staff, async (tx) => {
    await write(tx, staff, account, isKnown ? 'not-changed' : 'unknown', wanted)
    await updateAccount(tx, staff, account, { access_leased_until: staff.context.clock.now() })
  })
  refuse('unavailable', isKnown ? accessTexts.notSet : accessTexts.unknown)
}

function asFailure(problem: unknown): GatewayError {
  if (problem instanceof GatewayError) return problem
  throw problem
}

/**
 * Allows one change per account: a concurrent second one gets a conflict and makes no call. A release sets the lease to
 * the current time, so a lease taken and released since `account` was read is noticed too.
 */
async function takeLease(tx: Tx, staff: Staff, account: Account): Promise<Date> {
  const { account_id, access_leased_until: seen } = account
  if (isLeased(staff, account)) refuse('conflict', accessTexts.underWay)
  const lease = new Date(staff.context.clock.now().getTime() + leaseMs)
  const { numUpdatedRows } = await tx
    .updateTable('trading_accounts')
    .set({ access_leased_until: lease })
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', account_id)
    .where('access_leased_until', 'is not distinct from', seen)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) refuse('conflict', accessTexts.underWay)
  return lease
}

function isLeased(staff: Staff, { access_leased_until: until }: Account): boolean {
  return until !== null && until > staff.context.clock.now()
}

type Recorded = Wanted & {
  /** The lease of this call; null if the platform had the access already and only our record changes. */
  lease: Date | null
}

async function record(tx: Tx, staff: Staff, account: Account, { access, reason, lease }: Recorded): Promise<void> {
  const { account_id: id, member_id: memberId, platform_login: login } = account
  await holdMember(tx, staff, memberId)
  const now = await readAccount(tx, staff, id)
  const before = accessOf(now)
  if (before === access && !lease) return
  // The lease holder records its own change, so a call without the lease must not.
  const isOurs = lease ? now.access_leased_until?.getTime() === lease.getTime() : !isLeased(staff, now)
  if (!isOurs) refuse('conflict', accessTexts.underWay)
  await updateAccount(tx, staff, account, {
    status: access === 'disabled' ? 'disabled' : 'active',
    enable_read_only: access !== 'full',
    access_leased_until: staff.context.clock.now(),
  })
  await audit(tx, staff, {
    action: 'account.access-changed',
    subject: { kind: 'trading_account', id },
    memberId,
    before: { access: before },
    after: { access, reason },
  })
  await notify(tx, staff, {
    memberId,
    kind: 'account.access-changed',
    dedupeKey: `account.access-changed:${newId()}`,
    ...accessNotifications[access],
    details: { login },
    target: { kind: 'account', id },
  })
}

type Change = Pick<Updateable<TradingAccounts>, 'status' | 'enable_read_only' | 'access_leased_until'>

async function updateAccount(tx: Tx, staff: Staff, { account_id }: Account, change: Change): Promise<void> {
  await tx
    .updateTable('trading_accounts')
    .set(change)
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', account_id)
    .execute()
}

async function write(tx: Tx, staff: Staff, account: Account, step: 'asked' | 'unknown' | 'not-changed', after: Wanted) {
  const { account_id: id, member_id: memberId } = account
  await holdMember(tx, staff, memberId)
  await audit(tx, staff, {
    action: `account.access-${step}`,
    subject: { kind: 'trading_account', id },
    memberId,
    after,
  })
}
