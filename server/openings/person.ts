import { countryByCode } from '@atrium/contract/members/countries.ts'
import { asciiEmail } from '@atrium/contract/validators/reach.ts'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { WrittenPerson } from '../trading-platforms/contract.ts'

/** The details of the account's owner sent to a platform. */
export async function readPerson(tx: Tx, system: System, memberId: string): Promise<WrittenPerson> {
  const row = await tx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'email', 'phones'])
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  const home = await primaryAddressOf(tx, system, memberId)
  const { first_name: firstName, last_name: lastName } = row
  const given: Record<string, string | null | undefined> = {
    phone: row.phones[0],
    country: countryByCode(home?.country_code ?? null)?.name,
    city: home?.city,
    state: home?.state,
    zip: home?.postcode,
    address: home?.address_line_1,
  }
  const known = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return { firstName, lastName, email: asciiEmail(row.email), ...Object.fromEntries(known) }
}

/** City and flag shown with an account. */
export async function primaryPlaceOf(tx: Tx, system: System, memberId: string) {
  const home = await primaryAddressOf(tx, system, memberId)
  return { city: home?.city ?? null, country_code: home?.country_code ?? null }
}

function primaryAddressOf(tx: Tx, system: System, memberId: string) {
  return tx
    .selectFrom('member_addresses')
    .select(['address_line_1', 'city', 'state', 'postcode', 'country_code'])
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('address_id')
    .executeTakeFirst()
}
