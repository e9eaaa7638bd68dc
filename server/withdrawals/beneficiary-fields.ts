import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

type Fields = DeskWithdrawal['destination_fields']
type Paid = {
  member_id: string
  destination_id: string | null
  destination_text: string | null
  created_at: Date
}

/**
 * The beneficiary's details for a manual payment, field by field. A beneficiary changed after the request differs from
 * the approved one, so only the snapshot text is shown.
 */
export async function readBeneficiaryFields(tx: Tx, staff: Staff, paid: Paid): Promise<Fields> {
  const { destination_id: id, destination_text: text } = paid
  if (id === null || text === null) return []
  const read =
    (await readBankAccount(tx, staff, { ...paid, id })) ?? (await readFundAccount(tx, staff, { ...paid, id }))
  // Any change of account details starts a new cooling-off period.
  if (!read || read.usableFrom > paid.created_at) return []
  const known = read.fields.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
  const isAsPaid = known.every(({ name, value }) => !worded.has(name) || text.includes(value))
  return isAsPaid ? known : []
}

/** The fields contained in the snapshot text of a withdrawal. */
const worded = new Set(['account_holder', 'iban_number', 'swift', 'bank_name', 'name', 'provider', 'address'])

type Wanted = Paid & { id: string }
type Read = { usableFrom: Date; fields: { name: Fields[number]['name']; value: string | null }[] }

async function readBankAccount(tx: Tx, staff: Staff, { id, member_id }: Wanted): Promise<Read | null> {
  const row = await tx
    .selectFrom('bank_accounts')
    .select(['account_holder', 'iban_number', 'bank_account', 'swift', 'bank_name', 'country_code', 'currency'])
    .select(['address_line_1', 'city', 'state', 'bank_branch', 'postcode', 'routing_number', 'usable_from'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', member_id)
    .where('bank_account_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const address = [row.address_line_1, row.city, row.postcode, row.state].filter(Boolean).join(', ')
  const fields: Read['fields'] = [
    { name: 'account_holder', value: row.account_holder },
    { name: 'iban_number', value: row.iban_number },
    { name: 'bank_account', value: row.bank_account },
    { name: 'swift', value: row.swift },
    { name: 'bank_name', value: row.bank_name },
    { name: 'bank_branch', value: row.bank_branch },
    { name: 'routing_number', value: row.routing_number },
    { name: 'bank_address', value: address },
    { name: 'country', value: row.country_code },
    { name: 'currency', value: row.currency },
  ]
  return { usableFrom: row.usable_from, fields }
}

async function readFundAccount(tx: Tx, staff: Staff, { id, member_id }: Wanted): Promise<Read | null> {
  const row = await tx
    .selectFrom('fund_accounts')
    .select(['type', 'name', 'provider', 'preferred_currency', 'address_id', 'address_tag', 'notes', 'usable_from'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', member_id)
    .where('fund_account_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const normalize = (text: string) => (row.type === 'crypto' ? normalizeIdentifier(text) : text)
  const fields: Read['fields'] = [
    { name: 'name', value: row.name },
    { name: 'provider', value: row.provider },
    { name: 'currency', value: row.preferred_currency },
    { name: 'address', value: normalize(row.address_id) },
    { name: 'address_tag', value: row.address_tag && normalize(row.address_tag) },
    { name: 'notes', value: row.notes },
  ]
  return { usableFrom: row.usable_from, fields }
}
