import { limits } from '@atrium/contract/limits.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import type { EndedOpening, OpenedAccount, OpeningUnderWay } from '@atrium/contract/openings/calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { readAccounts } from '../accounts/queries.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'
import { underWay } from './opening.ts'

/** A member watches one opening per kind; a few more cost little. */
const endedMax = 4

/** The account just opened, as the response shows it. */
export async function readOpened(tx: Tx, member: Member, accountId: string): Promise<OpenedAccount> {
  const [row] = await readAccounts(tx, member, [accountId])
  assertState(row, 'a new account without a row')
  return {
    _id: row.account_id,
    platform_login: row.platform_login,
    platform_type: row.platform_type,
    trading_platform: {
      ...{ _id: row.platform_id, type: row.platform_type, name: row.platform_name },
      server: row.client_server,
    },
    group: row.group_name,
    leverage: row.leverage,
    currency: row.currency,
    balance: toScale(row.balance ?? '0', row.currency),
    starting_balance: await startingBalanceOf(tx, member, row),
    live_account: row.live_account,
    status: row.status,
    deleted: row.deleted,
    created_at: row.created_at.getTime(),
  }
}

async function startingBalanceOf(tx: Tx, member: Member, account: { account_id: string; currency: string }) {
  const given = await tx
    .selectFrom('transaction_events as event')
    .innerJoin('balance_transactions as money', (join) =>
      join
        .onRef('money.workspace_id', '=', 'event.workspace_id')
        .onRef('money.transaction_id', '=', 'event.transaction_id'),
    )
    .select('money.amount')
    .where('money.workspace_id', '=', member.workspaceId)
    .where('money.account_id', '=', account.account_id)
    .where('event.event', '=', 'deposit.demo-balance')
    .executeTakeFirst()
  return given ? toScale(given.amount, account.currency) : null
}

/** The member's openings that have not ended. */
export async function listOwnOpenings(member: Member): Promise<OpeningUnderWay[]> {
  authorize(member, 'my_accounts')
  const rows = await reading(member, (tx) =>
    tx
      .selectFrom('account_openings as opening')
      .innerJoin('trading_platforms as platform', (join) =>
        join
          .onRef('platform.workspace_id', '=', 'opening.workspace_id')
          .onRef('platform.platform_id', '=', 'opening.platform_id'),
      )
      .select(['opening.opening_id', 'opening.kind', 'opening.state', 'opening.group_name', 'opening.leverage'])
      .select(['opening.created_at', 'platform.platform_id', 'platform.type', 'platform.name'])
      .where('opening.workspace_id', '=', member.workspaceId)
      .where('opening.member_id', '=', member.memberId)
      .where('opening.state', 'in', underWay)
      .orderBy('opening.created_at')
      .orderBy('opening.opening_id')
      .execute(),
  )
  return rows.map((row) => ({
    _id: row.opening_id,
    kind: row.kind as AccountKind,
    state: row.state === 'unknown' ? 'checking' : 'under_way',
    trading_platform: { _id: row.platform_id, type: row.type, name: row.name },
    group: row.group_name,
    leverage: row.leverage,
    created_at: row.created_at.getTime(),
  }))
}

/** Recently ended openings, newest first, for pages that showed them as being verified. Refused ones are omitted. */
export async function listEndedOpenings(member: Member): Promise<EndedOpening[]> {
  authorize(member, 'my_accounts')
  const since = new Date(member.context.clock.now().getTime() - limits.openingShownForMs)
  return reading(member, async (tx) => {
    const rows = await tx
      .selectFrom('account_openings')
      .select(['opening_id', 'kind', 'state', 'account_id', 'created_at', 'ended_at'])
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('state', 'in', ['done', 'not_opened', 'not_executed'])
      .where('ended_at', '>', since)
      .orderBy('ended_at', 'desc')
      .limit(endedMax)
      .execute()
    const ended: EndedOpening[] = []
    for (const row of rows) {
      ended.push({
        _id: row.opening_id,
        kind: row.kind as AccountKind,
        state: row.state === 'done' ? 'opened' : 'not_opened',
        trading_account: row.account_id === null ? null : await readOpened(tx, member, row.account_id),
        created_at: row.created_at.getTime(),
        ended_at: (row.ended_at ?? row.created_at).getTime(),
      })
    }
    return ended
  })
}
