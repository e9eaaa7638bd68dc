import type { StartDepositInput } from '@atrium/contract/payments/start-deposit.ts'
import { asciiEmail } from '@atrium/contract/validators/reach.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Payer } from '../payment-providers/contract.ts'

/** The payer's data from the form and the profile; the name always comes from the profile. */
export async function readPayer(tx: Tx, member: Member, input: StartDepositInput): Promise<Payer> {
  const readingPerson = tx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'language'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  const readingHome = tx
    .selectFrom('member_addresses')
    .select(['state', 'postcode'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('country_code', '=', input.country)
    .where('removed_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('address_id')
    .executeTakeFirst()
  const [{ first_name, last_name, language }, home] = await Promise.all([readingPerson, readingHome])
  return {
    id: member.memberId,
    email: asciiEmail(input.email),
    firstName: first_name,
    lastName: last_name,
    phone: input.phone,
    country: input.country,
    city: input.city,
    address: input.address_line_1,
    zip: home?.postcode ?? null,
    state: home?.state ?? null,
    ip: member.address ?? '127.0.0.1',
    language: language ?? 'en',
  }
}
