import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'

export type MemberShape = NonNullable<Awaited<ReturnType<typeof readMember>>>
export type AddressShape = Awaited<ReturnType<typeof listAddresses>>[number]

const countAccounts = (isLive: boolean) => sql<number>`(
  select count(*)::int from trading_accounts as account
  where account.workspace_id = members.workspace_id and account.member_id = members.member_id
    and account.live_account = ${isLive} and not account.deleted)`

const pictureName = sql<string | null>`(
  select name from media
  where media.workspace_id = members.workspace_id and media.media_id = members.picture_media_id)`

export function readMember(tx: Tx, member: Member) {
  return tx
    .selectFrom('members')
    .select(['member_id', 'title', 'first_name', 'last_name', 'phones', 'email', 'emails', 'customer_number'])
    .select(['documents_status', 'kyc_category_id', 'type'])
    .select([
      'text_language',
      'language',
      'time_zone',
      'colour_scheme',
      'profile_version',
      'picture_media_id',
      pictureName.as('picture_name'),
    ])
    .select([countAccounts(true).as('live_count'), countAccounts(false).as('demo_count')])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirst()
}

/** The primary address first, then in the order they were added. */
export function listAddresses(tx: Tx, member: Member) {
  return tx
    .selectFrom('member_addresses')
    .select([
      'address_id',
      'address_line_1',
      'address_line_2',
      'city',
      'postcode',
      'state',
      'country_code',
      'is_primary',
    ])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('removed_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('address_id')
    .limit(50)
    .execute()
}
