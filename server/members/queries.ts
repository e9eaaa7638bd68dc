import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { ownColumns } from './member-columns.ts'

type Own = { workspaceId: string; memberId: string }
export type MemberShape = Awaited<ReturnType<ReturnType<typeof selectWholeMember>['execute']>>[number]
export type AddressShape = Awaited<ReturnType<typeof listAddresses>>[number]

/** A part of a query of members. */
export const countAccounts = (isLive: boolean) => sql<number>`(
  select count(*)::int from trading_accounts as account
  where account.workspace_id = members.workspace_id and account.member_id = members.member_id
    and account.live_account = ${isLive} and not account.deleted)`

const pictureName = sql<string | null>`(
  select name from media
  where media.workspace_id = members.workspace_id and media.media_id = members.picture_media_id)`

function selectMember(tx: Tx, { workspaceId, memberId }: Own) {
  return tx
    .selectFrom('members')
    .select(ownColumns)
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
}

function selectWholeMember(tx: Tx, own: Own) {
  return selectMember(tx, own)
    .select(pictureName.as('picture_name'))
    .select([countAccounts(true).as('live_count'), countAccounts(false).as('demo_count')])
}

const wholeMember = prepareStatement('member', selectWholeMember)
const memberAlone = prepareStatement('member_plain', selectMember)

export async function readMember(tx: Tx, { workspaceId, memberId }: Member): Promise<MemberShape | undefined> {
  return (await wholeMember(tx, { workspaceId, memberId })).rows[0]
}

/** `readMemberAlone` leaves these out, because they need other tables. */
export const fieldsOfOtherTables = ['profile_pic', 'accounts_live_count', 'accounts_demo_count']

/** Without picture and counts, for queries that do not select them. */
export async function readMemberAlone(tx: Tx, { workspaceId, memberId }: Member): Promise<MemberShape | undefined> {
  const row = (await memberAlone(tx, { workspaceId, memberId })).rows[0]
  return row && { ...row, picture_name: null, live_count: 0, demo_count: 0 }
}

export const addressColumns = [
  'address_line_1',
  'address_line_2',
  'city',
  'postcode',
  'state',
  'country_code',
  'is_primary',
] as const

/** The primary address first, then in order of creation. */
export function listAddresses(tx: Tx, member: Member) {
  return tx
    .selectFrom('member_addresses')
    .select(['address_id', ...addressColumns])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('removed_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('address_id')
    .limit(50)
    .execute()
}
