import { requestStates } from '@atrium/contract/requests/states.ts'
import { normalizeSearch } from '@atrium/contract/validators/identifier.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { givenFilter, type Page, reachableRowsMax } from '../foundation/database/paging.ts'

export type RequestTypeShape = Awaited<ReturnType<typeof listRequestTypes>>[number]
export type RequestShape = Awaited<ReturnType<typeof listLastRequests>>[number]

const shownMax = 100

function selectTypes(tx: Tx, member: Member) {
  return tx
    .selectFrom('request_types')
    .select(['request_type_id', 'name', 'description', 'created_at', 'show_in_portal', 'predefined_type'])
    .select(['is_quick_link', 'form_id'])
    .where('workspace_id', '=', member.workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('request_type_id')
    .limit(shownMax)
}

/** In the configured order. Archived types are left out here; old requests still name them. */
export function listRequestTypes(tx: Tx, member: Member) {
  return selectTypes(tx, member).execute()
}

export function readRequestType(tx: Tx, member: Member, id: string) {
  return selectTypes(tx, member).where('request_type_id', '=', id).where('show_in_portal', '=', true).executeTakeFirst()
}

/** Types by id, archived ones included, for requests that name them. */
export function readRequestTypes(tx: Tx, member: Member, ids: readonly string[]) {
  return tx
    .selectFrom('request_types')
    .select(['request_type_id', 'name', 'description', 'created_at', 'show_in_portal', 'predefined_type'])
    .select(['is_quick_link', 'form_id'])
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
  'status_since',
  'comment',
  'form_id',
  'assigned_staff_id',
  'assigned_staff_name',
  sql<string>`(select first_name || ' ' || last_name from members
    where members.workspace_id = requests.workspace_id and members.member_id = requests.member_id)`.as('member_name'),
  'member_id',
] as const

/** The member's latest request of each type, in one statement. */
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

/** The filters of a request list on the wire. */
export type RequestArgs = Partial<Record<'_id' | 'customer' | 'q' | 'status', string | null | undefined>> &
  Partial<Record<'created_at' | 'created_at_to', number | null | undefined>>
type RequestFilter = { requestId?: string; q?: string; status?: string; made?: { from: Date; until: Date } }

const dayMs = 24 * 3_600_000
/** The range of the database's timestamps. */
const isMoment = (at: number) => Number.isFinite(at) && at >= 0 && at < 8e12

/** Null when nothing can match: another member's customer id, a malformed id or an unknown status. */
export function filterOf(
  { _id, customer, q, status: asked, created_at, created_at_to }: RequestArgs,
  memberId: string,
): RequestFilter | null {
  const status = givenFilter(asked)
  if (customer != null && customer.toLowerCase() !== memberId) return null
  if (_id != null && !z.uuid().safeParse(_id).success) return null
  if (status !== undefined && !requestStates.some((state) => state === status)) return null
  if (created_at != null && !isMoment(created_at)) return null
  if (created_at_to != null && !isMoment(created_at_to)) return null
  const made = madeWithin(created_at, created_at_to)
  const words = normalizeSearch(q ?? '')
  return {
    ...(_id != null && { requestId: _id.toLowerCase() }),
    ...(words && { q: words }),
    ...(status && { status }),
    ...(made && { made }),
  }
}

/**
 * The day that begins at the first moment, in the caller's time zone. Only the caller knows daylight saving changes, so
 * a given last moment is used as it is.
 */
function madeWithin(first: number | null | undefined, last: number | null | undefined) {
  if (first == null && last == null) return null
  const from = first ?? 0
  return { from: new Date(from), until: new Date(last == null ? from + dayMs : last + 1) }
}

function selectFound(tx: Tx, member: Member, { requestId, q, status, made }: RequestFilter) {
  return tx
    .selectFrom('requests')
    .where('requests.workspace_id', '=', member.workspaceId)
    .where('requests.member_id', '=', member.memberId)
    .$if(requestId !== undefined, (query) => query.where('requests.request_id', '=', requestId ?? ''))
    .$if(status !== undefined, (query) => query.where('requests.status', '=', status ?? ''))
    .$if(made !== undefined, (query) =>
      query
        .where('requests.created_at', '>=', made?.from ?? new Date(0))
        .where('requests.created_at', '<', made?.until ?? new Date(0)),
    )
    .$if(q !== undefined, (query) => query.where(matches(q ?? '')))
}

/** By number, or by a part of the subject, description or answer. */
function matches(q: string) {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1]
  const words = sql<boolean>`(${containsText(sql`requests.subject`, q)} or ${containsText(sql`requests.description`, q)}
    or ${containsText(sql`requests.comment`, q)})`
  return number === undefined ? words : sql<boolean>`(requests.number = ${number}::bigint or ${words})`
}

/** One page of the member's requests, newest first. */
export function listRequests(tx: Tx, member: Member, filter: RequestFilter, page: Page) {
  return selectFound(tx, member, filter)
    .select(requestColumns)
    .orderBy('created_at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** Exact up to the last reachable page. */
export async function countRequests(tx: Tx, member: Member, filter: RequestFilter): Promise<number> {
  const { count } = await tx
    .selectFrom(selectFound(tx, member, filter).select(sql`1`.as('one')).limit(reachableRowsMax).as('matching'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
