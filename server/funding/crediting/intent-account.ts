import { isReused } from '../../accounts/differences.ts'
import type { System } from '../../foundation/actor.ts'
import { reading, type Tx } from '../../foundation/database/database.ts'
import type { ChangeBalance, TradingGateway } from '../../trading-platforms/contract.ts'
import { isClosedAccount } from '../own-account.ts'
import type { Intent } from './intent-moves.ts'

type Place = Pick<Intent, 'platform_id' | 'platform_login'>

function readAccountOf(tx: Tx, system: System, { platform_id, platform_login }: Place) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'platform_registered_at'])
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', platform_id)
    .where('platform_login', '=', platform_login)
    .executeTakeFirstOrThrow()
}

/** What we know of the account, by which the platform's adapter tells it from somebody else's with its number. */
export async function knownRegistration(system: System, intent: Intent): Promise<Pick<ChangeBalance, 'registeredAt'>> {
  const { platform_registered_at: at } = await reading(system, (tx) => readAccountOf(tx, system, intent))
  return at ? { registeredAt: Math.floor(at.getTime() / 1000) } : {}
}

/** Archived or deleted here, or the platform gave its number to somebody else: nothing is sent there. */
export function isAccountClosed(system: System, intent: Intent): Promise<boolean> {
  return reading(system, async (tx) => {
    const { account_id } = await readAccountOf(tx, system, intent)
    return isClosedAccount(tx, system, account_id)
  })
}

/**
 * Whether a history without the operation says nothing about it, because the account is closed or another one. Asks the
 * platform too, which may have given the number away since the last comparison, and throws `not_found` of a deleted one.
 */
export async function isHistoryOfAnother(system: System, intent: Intent, gateway: TradingGateway): Promise<boolean> {
  return (await isAccountClosed(system, intent)) || isSomebodyElses(system, intent, gateway)
}

/** Asks the platform, without what is known here. */
export async function isSomebodyElses(system: System, place: Place, gateway: TradingGateway): Promise<boolean> {
  const at = await gateway.readAccount(place.platform_login)
  return isReused(await reading(system, (tx) => readAccountOf(tx, system, place)), at)
}
