import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readMember } from '@atrium/contract/desk-members.ts'
import type { AccountKind } from '@atrium/contract/openings.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import type { OpeningState } from './opening.ts'

/** The last ones tell what somebody on the phone asks about. */
const shownMax = 10

/** What a member has asked to have opened, the newest first, whatever became of it. */
export async function readOpeningsOf(
  tx: Tx,
  staff: Staff,
  memberId: string,
): Promise<CallAnswer<typeof readMember>['member']['openings']> {
  const rows = await tx
    .selectFrom('account_openings as opening')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'opening.workspace_id')
        .onRef('platform.platform_id', '=', 'opening.platform_id'),
    )
    .select(['opening.opening_id', 'opening.kind', 'opening.state', 'opening.group_name', 'opening.leverage'])
    .select(['opening.platform_login', 'opening.last_problem', 'opening.platform_text', 'opening.tag'])
    .select(['opening.created_at', 'opening.ended_at', 'platform.name as platform_name'])
    .where('opening.workspace_id', '=', staff.workspaceId)
    .where('opening.member_id', '=', memberId)
    .orderBy('opening.created_at', 'desc')
    .orderBy('opening.opening_id', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map((row) => ({
    _id: row.opening_id,
    kind: row.kind as AccountKind,
    state: row.state as OpeningState,
    platform: row.platform_name,
    group: row.group_name,
    leverage: row.leverage,
    login: row.platform_login,
    tag: row.tag,
    problem: row.state === 'done' ? null : row.last_problem,
    platform_text: row.platform_text,
    created_at: row.created_at.getTime(),
    ended_at: row.ended_at?.getTime() ?? null,
  }))
}
