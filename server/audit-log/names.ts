import type { auditEntry, NamedInLog } from '@atrium/contract/audit-log/desk-calls.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

type Entry = Pick<z.output<typeof auditEntry>, 'subject' | 'before' | 'after'>
export type NamesInLog = Map<string, NamedInLog>

/** How to name the objects whose ids appear in the log: table, id column, and the name as SQL text. */
const named: [table: string, id: string, name: string][] = [
  ['members', 'member_id', "first_name || ' ' || last_name"],
  ['staff_users', 'staff_id', 'name'],
  ['tickets', 'ticket_id', "'#' || number"],
  ['requests', 'request_id', "'#' || number"],
  ['request_types', 'request_type_id', 'name'],
  ['forms', 'form_id', 'name'],
  ['documents', 'document_id', 'title'],
  ['file_categories', 'file_category_id', 'name'],
  ['kyc_categories', 'kyc_category_id', 'name'],
  ['valid_documents', 'valid_document_id', 'name'],
  ['media', 'media_id', 'name'],
  ['platform_files', 'file_id', 'name'],
  ['platform_downloads', 'download_id', 'name'],
  ['trading_platforms', 'platform_id', 'name'],
  ['payment_providers', 'provider_id', 'coalesce(title, app_uid)'],
  ['identity_vendors', 'vendor_id', 'app_uid'],
  ['bank_accounts', 'bank_account_id', 'bank_name'],
  ['fund_accounts', 'fund_account_id', 'name'],
  ['company_bank_accounts', 'company_bank_account_id', 'bank_name'],
  ['canned_replies', 'reply_id', 'name'],
]

/** Rows that stand for a transaction and are named after it: table and id column. */
const ofTransactions: [table: string, id: string][] = [
  ['deposit_orders', 'order_id'],
  ['payout_orders', 'payout_id'],
  ['platform_intents', 'intent_id'],
]

const idShape = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
type Row = { id: string; name: string; amount: string | null; currency: string | null }

/** Reads the names of all ids in some entries, in one statement that looks each up by its key. */
export async function readNames(tx: Tx, staff: Staff, entries: Entry[]): Promise<NamesInLog> {
  const ids = idsIn(entries)
  if (ids.length === 0) return new Map()
  const asked = sql`${ids}::uuid[]`
  const here = (table: string) => sql`${sql.raw(table)}.workspace_id = ${staff.workspaceId}::uuid`
  const transaction = sql`'T-' || moved.ticket as name, moved.amount, moved.currency`
  const parts = [
    ...named.map(
      ([
        table,
        id,
        name,
      ]) => sql`select ${sql.raw(id)} as id, ${sql.raw(name)} as name, null::numeric as amount, null as currency
        from ${sql.raw(table)} where ${here(table)} and ${sql.raw(id)} = any(${asked})`,
    ),
    ...ofTransactions.map(
      ([table, id]) => sql`select ${sql.raw(`${table}.${id}`)} as id, ${transaction} from ${sql.raw(table)}
        join balance_transactions as moved
          on moved.workspace_id = ${sql.raw(table)}.workspace_id and moved.transaction_id = ${sql.raw(table)}.transaction_id
        where ${here(table)} and ${sql.raw(`${table}.${id}`)} = any(${asked})`,
    ),
    sql`select moved.transaction_id as id, ${transaction} from balance_transactions as moved
      where ${here('moved')} and moved.transaction_id = any(${asked})`,
    sql`select payment_cases.case_id as id, ${transaction} from payment_cases
      join deposit_orders as ordered
        on ordered.workspace_id = payment_cases.workspace_id and ordered.order_id = payment_cases.order_id
      join balance_transactions as moved
        on moved.workspace_id = ordered.workspace_id and moved.transaction_id = ordered.transaction_id
      where ${here('payment_cases')} and payment_cases.case_id = any(${asked})`,
    sql`select payment_cases.case_id as id, ${transaction} from payment_cases
      join payout_orders as payout
        on payout.workspace_id = payment_cases.workspace_id and payout.payout_id = payment_cases.payout_id
      join balance_transactions as moved
        on moved.workspace_id = payout.workspace_id and moved.transaction_id = payout.transaction_id
      where ${here('payment_cases')} and payment_cases.case_id = any(${asked})`,
    sql`select payment_cases.case_id as id, ${transaction} from payment_cases
      join balance_transactions as moved
        on moved.workspace_id = payment_cases.workspace_id and moved.transaction_id = payment_cases.withdrawal_id
      where ${here('payment_cases')} and payment_cases.case_id = any(${asked})`,
    sql`select account.account_id as id, upper(platform.type) || ' ' || account.platform_login as name, null, null
      from trading_accounts as account
      join trading_platforms as platform
        on platform.workspace_id = account.workspace_id and platform.platform_id = account.platform_id
      where ${here('account')} and account.account_id = any(${asked})`,
    sql`select version.template_id as id, version.name, null, null from terms_versions as version
      join terms_templates as template on template.workspace_id = version.workspace_id
        and template.template_id = version.template_id and template.version = version.version
      where ${here('version')} and version.template_id = any(${asked})`,
  ]
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(tx)
  return new Map(
    rows.map(({ id, name, amount, currency }) => {
      return [id, { name, amount: amount && currency && toScale(amount, currency), currency }]
    }),
  )
}

const idsMax = 5_000

function idsIn(entries: Entry[]): string[] {
  const inDetails = entries.flatMap(({ before, after }) => JSON.stringify([before, after]).match(idShape) ?? [])
  return [...new Set([...entries.map(({ subject }) => subject._id), ...inDetails])].slice(0, idsMax)
}
