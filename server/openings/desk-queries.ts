import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readMember } from '@atrium/contract/members/desk-calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { OpeningState } from './opening.ts'

type DeskOpening = CallAnswer<typeof readMember>['member']['openings'][number]

/** The most recent ones cover what members ask about on the phone. */
const shownMax = 10

/** The openings of one member, newest first, in every state. */
export async function readOpeningsOf(tx: Tx, staff: Staff, memberId: string): Promise<DeskOpening[]> {
  const rows = await selectOpenings(tx, staff)
    .select(openingColumns)
    .where('opening.member_id', '=', memberId)
    .orderBy('opening.created_at', 'desc')
    .orderBy('opening.opening_id', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map(shapeOpening)
}

export function selectOpenings(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('account_openings as opening')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'opening.workspace_id')
        .onRef('platform.platform_id', '=', 'opening.platform_id'),
    )
    .where('opening.workspace_id', '=', staff.workspaceId)
}

export const openingColumns = [
  ...(['opening.opening_id', 'opening.kind', 'opening.state', 'opening.group_name', 'opening.leverage'] as const),
  ...(['opening.platform_login', 'opening.last_problem', 'opening.platform_text', 'opening.tag'] as const),
  ...(['opening.created_at', 'opening.ended_at', 'platform.name as platform_name'] as const),
] as const

const selectSome = (tx: Tx, staff: Staff) => selectOpenings(tx, staff).select(openingColumns).execute()
type Selected = Awaited<ReturnType<typeof selectSome>>[number]

export const shapeOpening = (row: Selected): DeskOpening => ({
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
})
