import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { deskQrOf } from '../banking/queries.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

type Beneficiary = Pick<DeskWithdrawal, 'destination_fields' | 'destination_qr'>
type Fields = Beneficiary['destination_fields']
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
export async function readBeneficiary(tx: Tx, staff: Staff, paid: Paid): Promise<Beneficiary> {
  const { destination_id: id, destination_text: text } = paid
  if (id === null || text === null) return unknown
  const read =
    (await readBankAccount(tx, staff, { ...paid, id })) ?? (await readFundAccount(tx, staff, { ...paid, id }))
  // Any change of account details starts a new cooling-off period.
  if (!read || read.usableFrom > paid.created_at) return unknown
  const known = read.fields.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
  const isAsPaid = known.every(({ name, value }) => !worded.has(name) || text.includes(value))
  return isAsPaid ? { destination_fields: known, destination_qr: read.qr } : unknown
}

const unknown: Beneficiary = { destination_fields: [], destination_qr: null }

/** The fields contained in the snapshot text of a withdrawal. */
const worded = new Set(['account_holder', 'iban_number', 'swift', 'bank_name', 'name', 'provider', 'address'])

type Wanted = Paid & { id: string }
type Read = {
  usableFrom: Date
  fields: { name: Fields[number]['name']; value: string | null }[]
  qr: Beneficiary['destination_qr']
}

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
  return { usableFrom: row.usable_from, fields, qr: null }
}

async function readFundAccount(tx: Tx, staff: Staff, { id, member_id }: Wanted): Promise<Read | null> {
  const row = await tx
    .selectFrom('fund_accounts as account')
    .leftJoin('media as qr', (join) =>
      join.onRef('qr.workspace_id', '=', 'account.workspace_id').onRef('qr.media_id', '=', 'account.qr_media_id'),
    )
    .select(['account.type', 'account.name', 'account.provider', 'account.preferred_currency', 'account.address_id'])
    .select(['account.address_tag', 'account.notes', 'account.usable_from'])
    .select(['qr.media_id as qr_media_id', 'qr.name as qr_name', 'qr.scan as qr_scan'])
    .where('account.workspace_id', '=', staff.workspaceId)
    .where('account.member_id', '=', member_id)
    .where('account.fund_account_id', '=', id)
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
  return { usableFrom: row.usable_from, fields, qr: deskQrOf(row) }
}
