import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { System } from '../server/foundation/actor.ts'
import type { AccountOpenings } from '../server/foundation/database/database.generated.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { makeIntentTag } from '../server/trading-platforms/intent-tag.ts'
import type { DemoAccount } from './harbour-markets.ts'
import { type History, joinedDaysAgo } from './history.ts'

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

/** Failed openings of each kind; the existing accounts have a successful one each. */
const failed: Failed[] = [
  {
    ...{ owner: 'member', platform: 'mt5', live: true, group: 'real\\standard-eur', currency: 'EUR', leverage: 400 },
    ...{ daysAgo: 41, ending: 'rejected', problem: 'invalid_input (3006)', platform_text: 'Invalid leverage' },
  },
  {
    ...{ owner: 'second', platform: 'mt4', live: false, group: 'demo-std', currency: 'USD', leverage: 100 },
    ...{ daysAgo: 18, ending: 'not_executed', problem: 'not_connected' },
  },
  {
    ...{ owner: 'member', platform: 'mt5', live: false, group: 'demo\\standard-usd', currency: 'USD', leverage: 200 },
    ...{ daysAgo: 12, ending: 'not_opened', problem: 'Searched for and not found.' },
  },
]

const dayMs = 86_400_000
type Known = { ids: Record<Owner, string>; accountIds: Map<string, string>; history: History; now: number }

/** Follows each opening's transitions, since the database does not allow an insert in an end state. */
export async function addOpenings(tx: Tx, system: System, { ids, accountIds, history, now }: Known): Promise<void> {
  const platforms = await tx
    .selectFrom('trading_platforms')
    .select(['platform_id', 'type'])
    .where('workspace_id', '=', system.workspaceId)
    .execute()
  const opened = history.accounts.map((account, at) => {
    const daysAgo = Math.min(60 + 9 * at, joinedDaysAgo(account.owner) - 0.5)
    return { ...account, daysAgo, ending: 'done' as const }
  })
  const openings = [...opened, ...failed].map((wanted): Opening => {
    const createdAt = new Date(now - wanted.daysAgo * dayMs)
    const isDone = wanted.ending === 'done'
    return {
      ...{ opening_id: newId(), currency: wanted.currency, sent_at: createdAt, ending: wanted.ending },
      ended_at: new Date(createdAt.getTime() + (wanted.ending === 'not_opened' ? 26 * 60_000 : 2_000)),
      login: isDone ? wanted.login : null,
      account_id: isDone ? (accountIds.get(wanted.login) ?? null) : null,
      problem: isDone ? null : wanted.problem,
      platform_text: isDone ? null : (wanted.platform_text ?? null),
      row: {
        ...{
          workspace_id: system.workspaceId,
          member_id: ids[wanted.owner] ?? '',
          kind: wanted.live ? 'live' : 'demo',
        },
        platform_id: platforms.find(({ type }) => type === wanted.platform)?.platform_id ?? '',
        ...{ group_name: wanted.group, leverage: wanted.leverage, tag: makeIntentTag(), state: 'ready' },
        ...{ lease_until: createdAt, next_step_at: createdAt, created_at: createdAt },
      },
    }
  })
  // A member can have only one open application, so the second of each follows once the first has ended.
  const ofMembers = Map.groupBy(openings, ({ row }) => row.member_id)
  const rounds = Map.groupBy(openings, (each) => ofMembers.get(each.row.member_id)?.indexOf(each))
  for (const round of rounds.values()) await addRound(tx, system, round)
}

async function addRound(tx: Tx, { workspaceId }: System, round: Opening[]): Promise<void> {
  await tx
    .insertInto('account_openings')
    .values(round.map(({ opening_id, row }) => ({ ...row, opening_id })))
    .execute()
  const move = async (which: (opening: Opening) => boolean, set: RawBuilder<unknown>): Promise<void> => {
    const moved = round.filter(which).map(({ row: _, ...opening }) => opening)
    if (moved.length === 0) return
    await sql`update account_openings as opening set ${set}
      from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as move (opening_id uuid, currency text,
        sent_at timestamptz, ended_at timestamptz, ending text, login text, account_id uuid, problem text, platform_text text)
      where opening.workspace_id = ${workspaceId} and opening.opening_id = move.opening_id`.execute(tx)
  }
  await move(
    ({ ending }) => ending !== 'not_executed',
    sql`state = 'sending', currency = move.currency, sent_at = move.sent_at`,
  )
  await move(({ ending }) => ending === 'not_opened', sql`state = 'unknown', looked_at = move.ended_at`)
  await move(
    () => true,
    sql`state = move.ending, ended_at = move.ended_at, platform_login = move.login, account_id = move.account_id,
      last_problem = move.problem, platform_text = move.platform_text`,
  )
}

type Opening = {
  opening_id: string
  currency: string
  sent_at: Date
  ended_at: Date
  ending: string
  login: string | null
  account_id: string | null
  problem: string | null
  platform_text: string | null
  row: Omit<Insertable<AccountOpenings>, 'opening_id'>
}
