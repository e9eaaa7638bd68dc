import type { Updateable } from 'kysely'
import { type AtPlatform, isReused, registrationOf } from '../accounts/differences.ts'
import type { Actor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { TradingAccounts } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { Assigned } from '../money-decisions/second-approval.ts'
import type { KnownAccount } from './platform-list.ts'

type Corrected = Pick<
  KnownAccount,
  'group_name' | 'leverage' | 'enable_change_password' | 'enable_read_only' | 'status'
>

/** The columns that state what the owner may do. A disabled account is read-only too: nothing may be done with it. */
const accessAt = ({ enabled, tradingAllowed, passwordChangeAllowed }: AtPlatform) => ({
  enable_change_password: passwordChangeAllowed,
  enable_read_only: !enabled || !tradingAllowed,
  status: enabled ? 'active' : 'disabled',
})

/** Whether staff have set the access, or are setting it, since the platform was listed. */
const isSetSince = ({ access_leased_until: until }: KnownAccount, listedAt: Date): boolean =>
  until !== null && until >= listedAt

/** Nothing is done with an account whose number may be somebody else's, until staff decide about it. */
const closedAccess = { enable_change_password: false, enable_read_only: true }

/**
 * The fields in which our row differs from the platform, which is authoritative; null if none differs. Leaves the
 * access alone if staff set it after the platform was listed: the list may still show the former one. Of an account that
 * is somebody else's by now nothing is taken over.
 */
export function correctionsOf(known: KnownAccount, at: AtPlatform, listedAt: Date): Partial<Corrected> | null {
  const { enable_change_password, enable_read_only, status, group_name, leverage } = known
  const right: Corrected = isReused(known, at)
    ? { group_name, leverage, status, ...closedAccess }
    : {
        group_name: at.group,
        leverage: at.leverage,
        ...(isSetSince(known, listedAt) ? { enable_change_password, enable_read_only, status } : accessAt(at)),
      }
  const names = (Object.keys(right) as (keyof Corrected)[]).filter((name) => known[name] !== right[name])
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, right[name]]))
}

/** Updates one account and audits the previous values. */
export async function changeAccount(
  tx: Tx,
  actor: Actor,
  known: KnownAccount,
  change: { action: 'account.corrected' | 'account.archived' | 'account.restored'; set: Updateable<TradingAccounts> },
): Promise<void> {
  await tx
    .updateTable('trading_accounts')
    .set(change.set)
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', known.account_id)
    .execute()
  const before = Object.fromEntries(
    Object.keys(change.set).map((name) => [name, known[name as keyof KnownAccount] ?? null]),
  )
  await audit(tx, actor, {
    action: change.action,
    subject: { kind: 'trading_account', id: known.account_id },
    memberId: known.member_id,
    before,
    after: { ...change.set },
  })
}

export type Import = {
  platformId: string
  memberId: string
  isLive: boolean
  currency: string
  at: AtPlatform
  /** What staff gave the member with it. */
  assigned?: Assigned
}

/** Imports an account that exists on the platform only. Returns null when a concurrent insert wins. */
export async function importAccount(tx: Tx, actor: Actor, wanted: Import): Promise<string | null> {
  const { at } = wanted
  const account = await tx
    .insertInto('trading_accounts')
    .values({
      workspace_id: actor.workspaceId,
      account_id: newId(),
      member_id: wanted.memberId,
      platform_id: wanted.platformId,
      platform_login: at.login,
      live_account: wanted.isLive,
      group_name: at.group,
      leverage: at.leverage,
      currency: wanted.currency,
      ...accessAt(at),
      platform_registered_at: registrationOf(at),
      created_at: actor.context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'platform_id', 'platform_login']).doNothing())
    .returning('account_id')
    .executeTakeFirst()
  if (!account) return null
  await audit(tx, actor, {
    action: 'account.imported',
    subject: { kind: 'trading_account', id: account.account_id },
    memberId: wanted.memberId,
    after: { login: at.login, platform: wanted.platformId, group: at.group, live: wanted.isLive, ...wanted.assigned },
  })
  return account.account_id
}
