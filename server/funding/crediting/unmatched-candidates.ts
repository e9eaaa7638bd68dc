import { isSame } from '@atrium/contract/money/money.ts'
import type { System } from '../../foundation/actor.ts'
import { reading } from '../../foundation/database/database.ts'
import type { Deal, TradingGateway } from '../../trading-platforms/contract.ts'
import { INTENT_TAG_CHARS } from '../../trading-platforms/intent-tag.ts'
import { sinceOf } from './intent.ts'
import type { Intent } from './intent-moves.ts'

/** Allows for clock differences: a deal just before the send proves nothing either way. */
const earlierSeconds = 300
const laterSeconds = 86_400

/**
 * Balance operations on the account since the first send with exactly this amount that belong to no known intent: a
 * credit whose comment a dealer edited, or a manual booking in its place. Only staff can tell which.
 */
export async function findUnmatchedCandidates(
  system: System,
  intent: Intent,
  gateway: TradingGateway,
): Promise<string[]> {
  const found = await listUnknown(system, intent, gateway, sinceOf(intent))
  return found.map(({ id }) => id)
}

/** Operations of exactly this amount since that second that belong to no known intent. */
export async function listUnknown(
  system: System,
  intent: Intent,
  gateway: TradingGateway,
  sinceSeconds: number,
): Promise<Deal[]> {
  const { platformNow, utcOffsetSeconds } = await gateway.serverClock()
  const now = platformNow - utcOffsetSeconds
  const from = Math.max(0, Math.min(sinceSeconds, now) - earlierSeconds)
  const alike = await listAlike(intent, gateway.listDeals(intent.platform_login, from, now + laterSeconds))
  if (alike.length === 0) return []
  const known = await readKnown(system, intent, alike)
  return alike.filter((deal) => !known.has(deal.id) && !known.has(tagOf(deal)))
}

async function listAlike(intent: Intent, deals: AsyncIterable<Deal>): Promise<Deal[]> {
  const alike: Deal[] = []
  for await (const deal of deals) {
    if (deal.cmd !== 'OP_BALANCE' || !isSame(deal.profit, intent.amount)) continue
    if (!intent.look_alikes.includes(deal.id)) alike.push(deal)
  }
  return alike
}

export function tagOf({ comment }: Deal): string {
  return comment.slice(0, INTENT_TAG_CHARS).toUpperCase()
}

/** Tags and tickets of this account's other intents, whose deals are no candidates. */
async function readKnown(system: System, intent: Intent, deals: readonly Deal[]): Promise<Set<string>> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .select(['tag', 'ticket'])
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', '=', intent.platform_id)
      .where('platform_login', '=', intent.platform_login)
      .where((where) =>
        where.or([
          where('tag', 'in', deals.map(tagOf)),
          where(
            'ticket',
            'in',
            deals.map(({ id }) => id),
          ),
        ]),
      )
      .execute(),
  )
  return new Set(rows.flatMap(({ tag, ticket }) => (ticket === null ? [tag] : [tag, ticket])))
}
