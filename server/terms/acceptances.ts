import { acceptancesList } from '@atrium/contract/terms/acceptances-list.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { condition, defineList } from '../foundation/list.ts'
import { nameContains } from '../foundation/member-labels.ts'
import { describeDevice } from '../sessions/device.ts'

type Of = { id: string }

/** The members who accepted a template, with the version and the device. */
export const acceptances = defineList({
  list: acceptancesList,
  right: 'members.read',
  table: 'terms_acceptances as accepted',
  // A member never accepts two versions at the same time, so the time and the member identify a row.
  id: 'accepted.member_id',
  keyOf: (row) => row.member._id,
  select: selectAcceptances,
  prepare: ({ tx, staff, filter }: { tx: Tx; staff: Staff; filter: Of }) => assertTerms(tx, staff, filter.id),
  where: ({ filter: { id } }: { filter: Of }) => condition`accepted.template_id = ${id}::uuid`,
  filters: {
    q: (q) => condition`(
      select member.customer_number = ${q} or ${containsText(sql`member.email`, q)}
        or ${nameContains(sql`member.sort_name`, q)}
      from members as member
      where member.workspace_id = accepted.workspace_id and member.member_id = accepted.member_id)`,
    version: (version) => condition`accepted.version = ${version}::integer`,
  },
  shape,
  sort: () => ({ column: 'accepted.accepted_at', direction: 'desc', at: (row) => row.accepted_at }),
  columns: [
    ['Customer number', (row) => row.member.customer_number],
    ['Name', (row) => row.member.name],
    ['Email', (row) => row.email],
    ['Version', (row) => row.version],
    ['Accepted at (UTC)', (row) => new Date(row.accepted_at).toISOString()],
    ['Address', (row) => row.address],
    ['Browser', (row) => row.user_agent],
    ['Session', (row) => row.session_id],
  ],
  exported: { action: 'terms.acceptances-exported', subject: ({ id }) => ({ kind: 'terms', id }) },
})

async function assertTerms(tx: Tx, staff: Staff, id: string): Promise<void> {
  const row = await tx
    .selectFrom('terms_templates')
    .select('template_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('template_id', '=', id)
    .executeTakeFirst()
  if (!row) refuseNotFound()
}

function selectAcceptances(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('terms_acceptances as accepted')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'accepted.workspace_id')
        .onRef('member.member_id', '=', 'accepted.member_id'),
    )
    .select(['accepted.version', 'accepted.accepted_at', 'accepted.address', 'accepted.user_agent'])
    .select(['accepted.session_id', 'member.member_id', 'member.first_name', 'member.last_name', 'member.email'])
    .select('member.customer_number')
    .where('accepted.workspace_id', '=', staff.workspaceId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectAcceptances>['execute']>>[number]

function shape(row: Row) {
  return {
    _id: `${row.member_id}:${row.version}`,
    member: {
      _id: row.member_id,
      name: `${row.first_name} ${row.last_name}`,
      customer_number: row.customer_number,
    },
    version: row.version,
    accepted_at: row.accepted_at.getTime(),
    address: row.address,
    device: describeDevice(row.user_agent),
    email: row.email,
    user_agent: row.user_agent,
    session_id: row.session_id,
  }
}
