import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'

export type RequestTypeShape = Awaited<ReturnType<typeof listRequestTypes>>[number]
export type RequestShape = Awaited<ReturnType<typeof listLastRequests>>[number]

const shownMax = 100

function selectTypes(tx: Tx, member: Member) {
  return tx
    .selectFrom('request_types')
    .select(['request_type_id', 'name', 'description', 'created_at', 'show_in_portal', 'predefined_type'])
    .select('is_quick_link')
    .where('workspace_id', '=', member.workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('request_type_id')
    .limit(shownMax)
}

/** In the brokerage's own order. Types that were put away are gone for new requests; old ones still name them. */
export function listRequestTypes(tx: Tx, member: Member) {
  return selectTypes(tx, member).execute()
}

export function readRequestType(tx: Tx, member: Member, id: string) {
  return selectTypes(tx, member).where('request_type_id', '=', id).where('show_in_portal', '=', true).executeTakeFirst()
}

/** Types of any age by id, for requests that name them. */
export function readRequestTypes(tx: Tx, member: Member, ids: readonly string[]) {
  return tx
    .selectFrom('request_types')
    .select(['request_type_id', 'name', 'description', 'created_at', 'show_in_portal', 'predefined_type'])
    .select('is_quick_link')
    .where('workspace_id', '=', member.workspaceId)
    .where('request_type_id', 'in', [...ids])
    .execute()
}

const requestColumns = [
  'request_id',
  'request_type_id',
  'subject',
  'description',
  sql<string>`number::text`.as('number'),
  'priority',
  'status',
  'entity',
  'created_at',
  'comment',
  sql<string | null>`form_data::text`.as('form_data'),
  sql<string>`(select first_name || ' ' || last_name from members
    where members.workspace_id = requests.workspace_id and members.member_id = requests.member_id)`.as('member_name'),
  'member_id',
] as const

/** The member's latest request of each of these types, in one statement. */
export function listLastRequests(tx: Tx, member: Member, typeIds: readonly string[]) {
  return tx
    .selectFrom('requests')
    .distinctOn('request_type_id')
    .select(requestColumns)
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('request_type_id', 'in', [...typeIds])
    .orderBy('request_type_id')
    .orderBy('created_at', 'desc')
    .orderBy('request_id', 'desc')
    .execute()
}
