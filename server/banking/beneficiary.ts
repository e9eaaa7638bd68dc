import type { BeneficiaryType } from '@atrium/contract/banking/calls.ts'
import { fitsTag, isAddress } from '@atrium/contract/banking/coin-addresses.ts'
import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

/** The owner: the member who asks, or the member whose withdrawal is paid out. */
type Owner = Pick<Member, 'workspaceId' | 'memberId'>
type Wanted = { type: BeneficiaryType; id: string }

/** A snapshot of what money can be paid out to: a withdrawal's copy must not change later. */
export type Beneficiary = Wanted & {
  /** For display: bank, holder and number, or provider and address. */
  description: string
  currency: string
  /** Nothing is paid to it before this time. */
  usableFrom: Date
  /** Everything needed to pay it. */
  details: Record<string, string | null>
}

/**
 * The member's own beneficiary; null for an unknown one, a removed one and another member's alike. Locks the row until
 * the transaction ends, so that it cannot be deleted or changed while a withdrawal to it is created.
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
  const { preferred_currency: currency, usable_from: usableFrom, ...stored } = row
  // Wallets saved by an older version may still hold invisible marks.
  const normalize = (text: string) => (type === 'crypto' ? normalizeIdentifier(text) : text)
  const tag = stored.address_tag && normalize(stored.address_tag)
  const details = { ...stored, address_id: normalize(stored.address_id), address_tag: tag || null }
  const description = `${row.provider}, ${row.name}, ${details.address_id}${tag ? `, tag ${tag}` : ''}`
  return { type, id, description, currency, usableFrom, details }
}

/**
 * Why nothing may be paid to it, as a sentence, or null. A wallet saved before checksums were verified may have an address that
 * nobody owns, and money sent there is lost.
 */
export function problemOfBeneficiary({ type, currency, details }: Beneficiary): string | null {
  const [address, tag] = [details.address_id ?? '', details.address_tag ?? '']
  const isFit = type !== 'crypto' || (isAddress(currency, address) && fitsTag(currency, { address, tag }))
  return isFit ? null : withdrawalTexts.addressInvalid
}

/** Everything needed to pay it, as the member saw it on the day of the request. */
export function describeBeneficiary({ description, details }: Beneficiary): string {
  const { swift, notes } = details
  return [description, swift, notes].filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}

/** Whether a withdrawal's stored description names this beneficiary. Its notes may differ: they do not route money. */
export function matchesDescription(beneficiary: Beneficiary, text: string): boolean {
  const routing = describeBeneficiary({ ...beneficiary, details: { ...beneficiary.details, notes: null } })
  return text === routing || text.startsWith(`${routing}, `)
}

/** When a beneficiary added or changed now becomes usable. */
export async function coolingOffUntil(tx: Tx, member: Member): Promise<Date> {
  const { settings } = await readWorkspace(tx, member)
  return new Date(member.context.clock.now().getTime() + settings.destination_rest_hours * 3_600_000)
}
