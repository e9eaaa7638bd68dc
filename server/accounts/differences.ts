import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Actor, Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { AccountDifferences } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { ListedAccount } from '../trading-platforms/contract.ts'
import { isOtherRegistration } from '../trading-platforms/registration.ts'

export type DifferenceKind = 'unknown_owner' | 'gone' | 'currency' | 'returned' | 'fields'
export type Decision = 'imported' | 'archived' | 'restored' | 'kept' | 'vanished'

export type Found = {
  kind: DifferenceKind
  login: string
  accountId: string | null
  /** A reason that the desk has a label for. */
  reason: string
  at: AtPlatform | null
}

function holderOf(at: AtPlatform | null) {
  return { holder: at?.name?.slice(0, 200) ?? null, holder_email: at?.email?.slice(0, 254) ?? null }
}

/** Leaves the holder empty after an erasure, even if the platform still reports it. */
async function isOfErased(tx: Tx, actor: Actor, accountId: string | null): Promise<boolean> {
  if (accountId === null) return false
  const row = await tx
    .selectFrom('trading_accounts as account')
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'account.workspace_id').onRef('owner.member_id', '=', 'account.member_id'),
    )
    .select('account.account_id')
    .where('account.workspace_id', '=', actor.workspaceId)
    .where('account.account_id', '=', accountId)
    .where('owner.status', '=', 'erased')
    .executeTakeFirst()
  return row !== undefined
}

type Noted = { difference_id: string; state: string; first_seen_at: Date }

/**
 * What staff kept because the account was missing says nothing about somebody else's account with its number, and what
 * they kept about some fields or a currency nothing about others.
 */
const isAnother = sql`((excluded.reason = 'number_reused' and account_differences.reason <> 'number_reused')
  or (excluded.kind in ('fields', 'currency')
    and not string_to_array(excluded.reason, ', ') <@ string_to_array(account_differences.reason, ', ')))`
const isReopened = sql`(account_differences.state = 'settled' or (account_differences.state = 'kept' and ${isAnother}))`
const staysKept = sql`(account_differences.state = 'kept' and not ${isReopened})`

/** Stores a new difference, or confirms or reopens an earlier one. A kept difference stays kept, unless it is another one. */
export async function noteDifference(tx: Tx, actor: Actor, platformId: string, found: Found): Promise<Noted> {
  const now = actor.context.clock.now()
  const { at } = found
  const holder = holderOf((await isOfErased(tx, actor, found.accountId)) ? null : at)
  const details = {
    reason: found.reason,
    account_id: found.accountId,
    group_name: at?.group ?? null,
    last_seen_at: now,
  }
  const row = await tx
    .insertInto('account_differences')
    .values({
      workspace_id: actor.workspaceId,
      difference_id: newId(),
      platform_id: platformId,
      platform_login: found.login,
      kind: found.kind,
      ...details,
      ...holder,
      leverage: at?.leverage ?? null,
      first_seen_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'platform_id', 'platform_login', 'kind']).doUpdateSet({
        ...details,
        // What staff kept covers all that they saw, also after less of it was reported.
        reason: sql`case when ${staysKept} and excluded.kind in ('fields', 'currency') then account_differences.reason
          else excluded.reason end`,
        holder: sql`case when ${staysKept} then account_differences.holder else excluded.holder end`,
        holder_email: sql`case when ${staysKept} then account_differences.holder_email else excluded.holder_email end`,
        leverage: at?.leverage ?? null,
        first_seen_at: sql`case when ${isReopened} then excluded.first_seen_at else account_differences.first_seen_at end`,
        state: sql`case when ${isReopened} then 'open' else account_differences.state end`,
        decision: sql`case when ${isReopened} then null else account_differences.decision end`,
        decided_by: sql`case when ${isReopened} then null else account_differences.decided_by end`,
        decided_at: sql`case when ${isReopened} then null else account_differences.decided_at end`,
      }),
    )
    .returning(['difference_id', 'state', 'first_seen_at'])
    .executeTakeFirstOrThrow()
  const isNew = row.state === 'open' && row.first_seen_at.getTime() === now.getTime()
  if (!isNew) return row
  const after = { kind: found.kind, reason: found.reason, login: found.login, platform: platformId }
  await audit(tx, actor, {
    action: 'account-difference.found',
    subject: { kind: 'account_difference', id: row.difference_id },
    after,
  })
  return row
}

export type Finding = { reason: string; at: AtPlatform }

/** Updates only the time of differences found again unchanged, kept ones included. */
export async function confirmSeen(
  tx: Tx,
  actor: Actor,
  platformId: string,
  { kind, said }: { kind: DifferenceKind; said: readonly Finding[] },
): Promise<ReadonlySet<string>> {
  if (said.length === 0) return new Set()
  const facts = said.map(({ reason, at }) => sql`(${at.login}, ${reason}, ${at.group}, ${at.leverage}::int)`)
  const holders = said.map(
    ({ at }) => sql`(${at.login}, ${holderOf(at).holder ?? ''}, ${holderOf(at).holder_email ?? ''})`,
  )
  const logins = said.map(({ at }) => at.login)
  await lockInOrder(tx, actor, sql`platform_id = ${platformId} and kind = ${kind} and platform_login = any(${logins})`)
  const confirmed = await tx
    .updateTable('account_differences')
    .set({ last_seen_at: actor.context.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where('platform_id', '=', platformId)
    .where('kind', '=', kind)
    .where('state', 'in', ['open', 'kept'])
    .where(sql<boolean>`(platform_login, reason, group_name, leverage) in (${sql.join(facts)})`)
    .where(
      // A kept difference has no holder: it was cleared with the decision.
      sql<boolean>`(state = 'kept' or (platform_login, coalesce(holder, ''), coalesce(holder_email, '')) in (${sql.join(holders)}))`,
    )
    .returning('platform_login')
    .execute()
  return new Set(confirmed.map(({ platform_login }) => platform_login))
}

/**
 * The accounts to which only staff give an owner: those that they left without one, also once they are asked again, since
 * their balance takes as many of them. Locked, so that a decision at the same time is seen or waits.
 */
export async function lockOwnerless(
  tx: Tx,
  actor: Actor,
  platformId: string,
  logins: readonly string[],
): Promise<ReadonlySet<string>> {
  const isMeant = sql<boolean>`platform_id = ${platformId} and kind = 'unknown_owner' and platform_login = any(${logins})`
  await lockInOrder(tx, actor, isMeant)
  const ownerless = await tx
    .selectFrom('account_differences')
    .select('platform_login')
    .where('workspace_id', '=', actor.workspaceId)
    .where(isMeant)
    .where('state', 'in', ['open', 'kept'])
    .where('decided_at', 'is not', null)
    .execute()
  return new Set(ownerless.map(({ platform_login }) => platform_login))
}

/** Open and kept differences: both end when the platform stops showing them. Ordered as in `lockInOrder`. */
export function readOpen(tx: Tx, actor: Actor, platformId: string) {
  return (
    tx
      .selectFrom('account_differences')
      .select(['difference_id', 'platform_login', 'kind', 'last_seen_at', 'group_name', 'decided_at'])
      .where('workspace_id', '=', actor.workspaceId)
      .where('platform_id', '=', platformId)
      .where('state', 'in', ['open', 'kept'])
      // Recorded when an account is opened, and not visible in the platform's list of accounts.
      .where('kind', '<>', 'fields')
      .orderBy('difference_id')
      .execute()
  )
}

/**
 * Lock order for several differences in one transaction: by id, so that an erasure and a comparison cannot deadlock.
 */
export async function lockInOrder(tx: Tx, actor: Actor, isMeant: RawBuilder<boolean>): Promise<void> {
  await tx
    .selectFrom('account_differences')
    .select('difference_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where(isMeant)
    .orderBy('difference_id')
    .forUpdate()
    .execute()
}

type Registered = Pick<AtPlatform, 'registeredAt'>

/** When the platform registered an account; null if it does not say. */
export const registrationOf = ({ registeredAt }: Registered): Date | null =>
  registeredAt > 0 ? new Date(registeredAt * 1000) : null

/** Whether the platform gave the number of an account of ours to somebody else since we stored its registration. */
export function isReused(
  { platform_registered_at: first }: { platform_registered_at: Date | null },
  at: Registered,
): boolean {
  return first !== null && isOtherRegistration(first.getTime() / 1000, at.registeredAt)
}

type Numbered = { platform_id: string; platform_login: string }

/**
 * Whether the platform gave the number of an account of ours to somebody else, as far as a comparison has seen: what is
 * on it now is not the member's. Staff who keep the account say that it is theirs after all.
 */
export async function isNumberReused(
  tx: Tx,
  actor: Actor,
  { platform_id, platform_login }: Numbered,
): Promise<boolean> {
  const found = await tx
    .selectFrom('account_differences as difference')
    .leftJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'difference.workspace_id')
        .onRef('account.account_id', '=', 'difference.account_id'),
    )
    .select(['difference.state', 'difference.decision', 'account.archived'])
    .where('difference.workspace_id', '=', actor.workspaceId)
    .where('difference.platform_id', '=', platform_id)
    .where('difference.platform_login', '=', platform_login)
    .where('difference.kind', '=', 'gone')
    .where('difference.reason', '=', 'number_reused')
    .executeTakeFirst()
  if (!found) return false
  return found.state === 'open' || (found.decision === 'archived' && found.archived === true)
}

/** Asks again about a difference that staff kept, and keeps who asked and when (`lockOwnerless`). */
export function reopenDifference(tx: Tx, staff: Staff, differenceId: string): Promise<void> {
  const now = staff.context.clock.now()
  const undecided = { state: 'open', decision: null, decided_at: now, decided_by: staff.staffId }
  const changed = { ...undecided, first_seen_at: now }
  return changeDifference(tx, staff, differenceId, { action: 'account-difference.reopened', changed })
}

/** Clears the holder with the decision. */
export function settleDifference(tx: Tx, actor: Actor, differenceId: string, decision: Decision): Promise<void> {
  const changed = {
    state: decision === 'kept' ? 'kept' : 'settled',
    decision,
    decided_at: actor.context.clock.now(),
    decided_by: actor.kind === 'staff' ? actor.staffId : null,
    holder: null,
    holder_email: null,
  }
  return changeDifference(tx, actor, differenceId, {
    ...{ action: 'account-difference.settled', changed },
    after: { decision },
  })
}

type Change = { action: string; changed: Updateable<AccountDifferences>; after?: { decision: Decision } }

async function changeDifference(
  tx: Tx,
  actor: Actor,
  differenceId: string,
  { action, changed, after }: Change,
): Promise<void> {
  const { kind, platform_login, platform_id } = await tx
    .updateTable('account_differences')
    .set(changed)
    .where('workspace_id', '=', actor.workspaceId)
    .where('difference_id', '=', differenceId)
    .returning(['kind', 'platform_login', 'platform_id'])
    .executeTakeFirstOrThrow()
  await audit(tx, actor, {
    action,
    subject: { kind: 'account_difference', id: differenceId },
    after: { ...after, kind, login: platform_login, platform: platform_id },
  })
}

/** The current state of one account on its platform. */
export type AtPlatform = Pick<
  ListedAccount,
  | ('login' | 'group' | 'leverage' | 'enabled' | 'tradingAllowed' | 'passwordChangeAllowed')
  | ('email' | 'name' | 'comment' | 'registeredAt')
> & { currency: string | null }
