import type { BeneficiaryType } from '@atrium/contract/banking/calls.ts'
import { fitsTag, isAddress } from '@atrium/contract/banking/coin-addresses.ts'
import { plainIdentifier } from '@atrium/contract/validators/identifier.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

/** Whose it must be: a member who asks, or the member whose withdrawal the program pays out. */
type Owner = Pick<Member, 'workspaceId' | 'memberId'>
type Wanted = { type: BeneficiaryType; id: string }

/** A place that money is paid out to, as it stands at this moment: what a withdrawal keeps of it must not change later. */
export type Beneficiary = Wanted & {
  /** For people: bank, holder and number, or provider and address. */
  description: string
  currency: string
  /** Until then nothing is paid to it. */
  usableFrom: Date
  /** Everything that whoever pays out has to know. */
  details: Record<string, string | null>
}

/**
 * The member's own beneficiary, or null for an unknown, a removed and somebody else's alike. The row stays as it is until the
 * transaction ends: nobody deletes or changes it while a withdrawal to it is being made.
 */
export async function findBeneficiary(tx: Tx, member: Owner, wanted: Wanted): Promise<Beneficiary | null> {
  return wanted.type === 'bank_account' ? findBankAccount(tx, member, wanted) : findFundAccount(tx, member, wanted)
}

async function findBankAccount(tx: Tx, member: Owner, { type, id }: Wanted): Promise<Beneficiary | null> {
  const row = await tx
    .selectFrom('bank_accounts')
    .select(['account_holder', 'bank_account', 'iban_number', 'swift', 'bank_name', 'currency', 'usable_from'])
    .select(['address_line_1', 'city', 'state', 'country_code', 'bank_branch', 'postcode', 'routing_number'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('bank_account_id', '=', id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!row) return null
  const { currency, usable_from: usableFrom, ...details } = row
  const description = `${row.bank_name}, ${row.account_holder}, ${row.iban_number ?? row.bank_account}`
  return { type, id, description, currency, usableFrom, details }
}

async function findFundAccount(tx: Tx, member: Owner, { type, id }: Wanted): Promise<Beneficiary | null> {
  const row = await tx
    .selectFrom('fund_accounts')
    .select([
      'name',
      'provider',
      'address_id',
      'address_tag',
      'notes',
      'preferred_currency',
      'usable_from',
      'qr_media_id',
    ])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('fund_account_id', '=', id)
    .where('type', '=', type)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!row) return null
  const { preferred_currency: currency, usable_from: usableFrom, ...kept } = row
  // One that was saved before marks were dropped may still hold some.
  const plain = (text: string) => (type === 'crypto' ? plainIdentifier(text) : text)
  const tag = kept.address_tag && plain(kept.address_tag)
  const details = { ...kept, address_id: plain(kept.address_id), address_tag: tag || null }
  const description = `${row.provider}, ${row.name}, ${details.address_id}${tag ? `, tag ${tag}` : ''}`
  return { type, id, description, currency, usableFrom, details }
}

/**
 * Why nothing may be paid to it, as a sentence; null where it may. A wallet that was saved before its checksum was judged may
 * be nobody's, and what is sent there is lost.
 */
export function problemOfBeneficiary({ type, currency, details }: Beneficiary): string | null {
  const [address, tag] = [details.address_id ?? '', details.address_tag ?? '']
  const isFit = type !== 'crypto' || (isAddress(currency, address) && fitsTag(currency, { address, tag }))
  return isFit ? null : withdrawalTexts.addressInvalid
}

/** Everything that whoever pays has to know, as the member saw it on the day. */
export function wordsOf({ description, details }: Beneficiary): string {
  const { swift, notes } = details
  return [description, swift, notes].filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}

/** From when on money is paid to what is added or changed now. */
export async function restUntil(tx: Tx, member: Member): Promise<Date> {
  const { settings } = await readWorkspace(tx, member)
  return new Date(member.context.clock.now().getTime() + settings.destination_rest_hours * 3_600_000)
}
