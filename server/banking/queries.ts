import type { Scan } from '@atrium/contract/files/calls.ts'
import { sql } from 'kysely'
import { mediaUrl } from '../files/media.ts'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** A workspace has a handful of rows and a member a few; the limit only bounds one answer. */
const rowsMax = 200

export type BankAccountShape = Awaited<ReturnType<typeof listBankAccounts>>[number]
export type CompanyBankAccountShape = Awaited<ReturnType<typeof listCompanyBankAccounts>>[number]

/** The member's own bank accounts, newest first. */
export function listBankAccounts(tx: Tx, member: Member) {
  return tx
    .selectFrom('bank_accounts')
    .select(['bank_account_id', 'currency', 'account_holder', 'bank_account', 'iban_number', 'swift', 'bank_name'])
    .select(['country_code', 'address_line_1', 'city', 'state', 'usable_from'])
    .select(['bank_branch', 'postcode', 'routing_number'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('bank_account_id', 'desc')
    .limit(rowsMax)
    .execute()
}

export type FundAccountShape = Awaited<ReturnType<typeof listFundAccounts>>[number]

/** The member's own wallets and other accounts of one type or of every type, newest first. */
export function listFundAccounts(tx: Tx, member: Member, type: string | null) {
  const own = tx
    .selectFrom('fund_accounts')
    .leftJoin('media', (join) =>
      join
        .onRef('media.workspace_id', '=', 'fund_accounts.workspace_id')
        .onRef('media.media_id', '=', 'fund_accounts.qr_media_id'),
    )
    .select(['fund_account_id', 'type', 'fund_accounts.name', 'provider', 'preferred_currency', 'address_id', 'notes'])
    .select(['address_tag', 'qr_media_id', 'usable_from', 'media.name as qr_name'])
    .where('fund_accounts.workspace_id', '=', member.workspaceId)
    .where('fund_accounts.member_id', '=', member.memberId)
    .where('removed_at', 'is', null)
    .orderBy('fund_accounts.created_at', 'desc')
    .orderBy('fund_account_id', 'desc')
    .limit(rowsMax)
  return (type === null ? own : own.where('type', '=', type)).execute()
}

/** The account number or address of a member's beneficiary, also of a removed one; null for an unknown id. */
export async function readBeneficiaryNumber(
  tx: Tx,
  actor: Actor,
  memberId: string,
  id: string,
): Promise<string | null> {
  const theirs = sql`workspace_id = ${actor.workspaceId}::uuid and member_id = ${memberId}::uuid`
  const { rows } = await sql<{ number: string }>`
    select coalesce(iban_number, bank_account) as number from bank_accounts
    where ${theirs} and bank_account_id = ${id}::uuid
    union all select address_id from fund_accounts where ${theirs} and fund_account_id = ${id}::uuid`.execute(tx)
  return rows[0]?.number ?? null
}

type Attached = { qr_media_id: string | null; qr_name: string | null; qr_scan: string | null }

/** The QR code of a beneficiary as the desk shows it, null without one. */
export function deskQrOf({ qr_media_id: media_id, qr_name: name, qr_scan: scan }: Attached) {
  if (media_id === null || name === null || scan === null) return null
  return { url: `/cp${mediaUrl({ media_id, name })}`, scan: scan as Scan }
}

/** The brokerage's own bank accounts, which members pay into, newest first. */
export function listCompanyBankAccounts(tx: Tx, member: Member) {
  return tx
    .selectFrom('company_bank_accounts')
    .select(['company_bank_account_id', 'currency', 'account_holder', 'bank_account', 'iban_number', 'swift'])
    .select(['bank_name', 'address_line_1', 'identifier', 'notes', 'sort_code'])
    .where('workspace_id', '=', member.workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('company_bank_account_id', 'desc')
    .limit(rowsMax)
    .execute()
}
