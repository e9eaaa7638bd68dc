import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { makeIntentTag } from '../server/trading-platforms/intent-tag.ts'
import type { DemoAccount } from './harbour-markets.ts'
import type { History } from './history.ts'

type Owner = DemoAccount['owner']
type Failed = {
  owner: Owner
  platform: DemoAccount['platform']
  live: boolean
  group: string
  currency: string
  leverage: number
  daysAgo: number
  ending: 'rejected' | 'not_executed' | 'not_opened'
  problem: string
  platform_text?: string
}

/** What did not come to be, of each kind; the accounts that are there were opened too. */
const failed: Failed[] = [
  {
    ...{ owner: 'member', platform: 'mt5', live: true, group: 'real\\standard-eur', currency: 'EUR', leverage: 400 },
    ...{ daysAgo: 41, ending: 'rejected', problem: 'leverage_refused (3006)', platform_text: 'Invalid leverage' },
  },
  {
    ...{ owner: 'second', platform: 'mt4', live: false, group: 'demo-std', currency: 'USD', leverage: 100 },
    ...{ daysAgo: 18, ending: 'not_executed', problem: 'not_connected' },
  },
  {
    ...{ owner: 'member', platform: 'mt5', live: false, group: 'demo\\standard-usd', currency: 'USD', leverage: 200 },
    ...{ daysAgo: 12, ending: 'not_opened', problem: 'Looked for and not there.' },
  },
]

const dayMs = 86_400_000
type Known = { ids: Record<Owner, string>; accountIds: Map<string, string>; history: History; now: number }

/** By the way that each opening goes, since the database lets none begin where it ended. */
export async function addOpenings(tx: Tx, system: System, { ids, accountIds, history, now }: Known): Promise<void> {
  const platforms = await tx
    .selectFrom('trading_platforms')
    .select(['platform_id', 'type'])
    .where('workspace_id', '=', system.workspaceId)
    .execute()
  const opened = history.accounts.map((account, at) => ({ ...account, daysAgo: 60 + 9 * at, ending: 'done' as const }))
  for (const wanted of [...opened, ...failed]) {
    const createdAt = new Date(now - wanted.daysAgo * dayMs)
    const endedAt = new Date(createdAt.getTime() + (wanted.ending === 'not_opened' ? 26 * 60_000 : 2_000))
    const key = { workspace_id: system.workspaceId, opening_id: newId() }
    await tx
      .insertInto('account_openings')
      .values({
        ...key,
        member_id: ids[wanted.owner] ?? '',
        kind: wanted.live ? 'live' : 'demo',
        platform_id: platforms.find(({ type }) => type === wanted.platform)?.platform_id ?? '',
        group_name: wanted.group,
        leverage: wanted.leverage,
        tag: makeIntentTag(),
        state: 'ready',
        lease_until: createdAt,
        next_step_at: createdAt,
        created_at: createdAt,
      })
      .execute()
    const move = (set: object) =>
      tx
        .updateTable('account_openings')
        .set(set)
        .where('workspace_id', '=', key.workspace_id)
        .where('opening_id', '=', key.opening_id)
        .execute()
    const isSent = wanted.ending !== 'not_executed'
    if (isSent) await move({ state: 'sending', currency: wanted.currency, sent_at: createdAt })
    if (wanted.ending === 'not_opened') await move({ state: 'unknown', looked_at: endedAt })
    const result =
      wanted.ending === 'done'
        ? { platform_login: wanted.login, account_id: accountIds.get(wanted.login) }
        : { last_problem: wanted.problem, platform_text: wanted.platform_text ?? null }
    await move({ state: wanted.ending, ended_at: endedAt, ...result })
  }
}
