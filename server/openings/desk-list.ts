import type { deskOpeningRow } from '@atrium/contract/openings/desk-calls.ts'
import { openingsList } from '@atrium/contract/openings/desk-list.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { condition, defineList } from '../foundation/list.ts'
import { meetsSearch, searchWords } from '../foundation/member-labels.ts'
import { listPlatformNames } from '../trading-platforms/platform-names.ts'
import { openingColumns, selectOpenings, shapeOpening } from './desk-queries.ts'

type Row = z.output<typeof deskOpeningRow>

/** The openings of all members, newest first, in every state. */
export const deskOpenings = defineList({
  list: openingsList,
  right: 'members.read',
  table: 'account_openings as opening',
  id: 'opening.opening_id',
  select,
  filters: {
    q: async (q, { tx, staff }) => meetsSearch(await searchWords(tx, staff, q), 'opening'),
    state: (state) => condition`opening.state = ${state}`,
    kind: (kind) => condition`opening.kind = ${kind}`,
    platform: (platform) => condition`opening.platform_id = ${platform}::uuid`,
  },
  sort: () => ({ column: 'opening.created_at', direction: 'desc', at: (row) => row.created_at }),
  shape,
  beside: async ({ tx, staff }) => ({ platforms: await listPlatformNames(tx, staff) }),
  columns: [
    ['Requested (UTC)', (row) => spreadsheetMoment(row.created_at)],
    ['Ended (UTC)', (row) => spreadsheetMoment(row.ended_at)],
    ['State', (row) => row.state],
    ['Kind', (row) => row.kind],
    ['Platform', (row) => row.platform],
    ['Group', (row) => row.group],
    ['Leverage', (row) => row.leverage],
    ['Login', (row) => row.login],
    ['Customer number', (row) => row.member.customer_number],
    ['Name', (row) => row.member.name],
    ['Tag', (row) => row.tag],
    ['Cause', (row) => row.problem],
    ['Message of the platform', (row) => row.platform_text],
  ],
})

export function readDeskOpening(staff: Staff, openingId: string): Promise<Row> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await select(tx, staff).where('opening.opening_id', '=', openingId).executeTakeFirst()
    return row ? shape(row) : refuseNotFound()
  })
}

function select(tx: Tx, staff: Staff) {
  return selectOpenings(tx, staff)
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'opening.workspace_id').onRef('owner.member_id', '=', 'opening.member_id'),
    )
    .select(openingColumns)
    .select(['opening.account_id', 'opening.looked_at', 'opening.asked_again_at'])
    .select(['owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
}

type Selected = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function shape(row: Selected): Row {
  return {
    ...shapeOpening(row),
    member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
    account_id: row.account_id,
    looked_at: row.looked_at?.getTime() ?? null,
    asked_again_at: row.asked_again_at?.getTime() ?? null,
  }
}
