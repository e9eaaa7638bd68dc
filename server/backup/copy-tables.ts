import { accountsErasure } from '../accounts/erasure.ts'
import { bankingErasure } from '../banking/erasure.ts'
import { documentsErasure } from '../documents/erasure.ts'
import { gatherErasures } from '../foundation/erasure.ts'
import { fundingErasure } from '../funding/crediting/erasure.ts'
import { membersInCopy } from '../members/member-columns.ts'
import { membersErasure } from '../members/personal-data/own-erasure.ts'
import { openingsErasure } from '../openings/erasure.ts'
import { paymentsErasure } from '../payments/exceptions/erasure.ts'
import { requestsErasure } from '../requests/erasure.ts'
import { ticketsErasure } from '../tickets/erasure.ts'

/**
 * What an anonymised copy keeps of a table. Numbers, times and ids always stay; each text column is one of:
 * `words`: fixed values of the program or of a connected system (states, kinds, currencies);
 * `marks`: references between rows and systems (tickets, tags, logins);
 * `house`: what the brokerage publishes;
 * `changed`: overwritten with this SQL.
 */
export type InCopy =
  | { do: 'remove' }
  | { do: 'keep'; words?: string; marks?: string; house?: string; changed?: Record<string, string> }

const nothing = 'null'
const said = `'Removed'`
/** Keeps null as null and any value as a value, so that screens and checks behave as with real data. */
const sayIf = (column: string): string => `case when ${column} is not null then 'Removed' end`
const staffIf = (column: string): string => `case when ${column} is not null then 'Staff' end`
const nameOf = (id: string): string => `${id} || '@copy.invalid'`
const hashOf = (column: string): string => `sha256(convert_to(${column}::text, 'UTF8'))`
/** Not a valid hash, so no password matches. */
const noPassword = `'none'`

const { tables } = gatherErasures([
  ...[accountsErasure, bankingErasure, documentsErasure, fundingErasure],
  ...[membersErasure, openingsErasure, paymentsErasure, requestsErasure, ticketsErasure],
])

/** The values that an erasure writes, as SQL. */
function erased(table: string): Record<string, string> {
  const ending = tables[table]
  if (ending?.do !== 'blank') throw new Error(`Erasing a member leaves ${table} as it is.`)
  return Object.fromEntries(
    Object.entries(ending.columns).map(([column, value]) => [
      column,
      value === null ? nothing : `'${value.replaceAll("'", "''")}'`,
    ]),
  )
}

const { coin: _, payout_reference: __, ...transaction } = erased('balance_transactions')

/**
 * Every table except those left out of backups, in the order in which rows are removed. A test compares it with the
 * catalogue, so a new column needs a rule before the next copy.
 */
export const copyTables: Record<string, InCopy> = {
  // Sessions and credentials.
  nonces: { do: 'remove' },
  password_resets: { do: 'remove' },
  password_reset_requests: { do: 'remove' },
  known_devices: { do: 'remove' },
  passkey_challenges: { do: 'remove' },
  sign_in_challenges: { do: 'remove' },
  recovery_codes: { do: 'remove' },
  passkeys: { do: 'remove' },
  totp_factors: { do: 'remove' },
  sessions: { do: 'remove' },
  rate_limits: { do: 'remove' },
  // Messages to members, sent or drafted.
  mails: { do: 'remove' },
  notices: { do: 'remove' },
  notice_boxes: { do: 'remove' },
  form_drafts: { do: 'remove' },
  member_addresses: { do: 'remove' },
  identity_notifications: { do: 'remove' },
  // Connections hold secrets, and addresses that a copy must not call.
  platform_connections: { do: 'remove' },
  payment_provider_connections: { do: 'remove' },

  // A trigger rebuilds them from the changed rows.
  member_words: { do: 'keep', marks: 'word' },
  members: membersInCopy,
  staff_users: {
    do: 'keep',
    words: 'role status',
    changed: {
      name: `'Staff ' || left(staff_id::text, 8)`,
      email: nameOf('staff_id'),
      password_hash: noPassword,
    },
  },
  staff_pictures: {
    do: 'keep',
    words: 'content_type',
    marks: 'storage_key',
    changed: { name: `'picture'`, sha256: hashOf('picture_id') },
  },
  member_locks: { do: 'keep', changed: erased('member_locks') },
  audit_log: {
    do: 'keep',
    words: 'actor_kind action subject_kind',
    marks: 'request_id',
    changed: { before: nothing, after: nothing, address: nothing },
  },
  // A short entry could be guessed from its hash, so the chain is rebuilt.
  audit_links: { do: 'keep', changed: { details_hash: hashOf('audit_id'), hash: hashOf('audit_id') } },
  media: {
    do: 'keep',
    words: 'purpose kind extension content_type scan',
    marks: 'storage_key small_key',
    changed: { name: `'file.' || extension`, sha256: hashOf('media_id') },
  },
  terms_acceptances: { do: 'keep', changed: { address: nothing, user_agent: nothing } },

  trading_accounts: {
    do: 'keep',
    words: 'type group_name currency status',
    marks: 'platform_login',
    changed: erased('trading_accounts'),
  },
  account_openings: {
    do: 'keep',
    words: 'kind group_name state currency',
    marks: 'tag platform_login',
    changed: erased('account_openings'),
  },
  account_differences: {
    do: 'keep',
    words: 'kind reason group_name state decision',
    marks: 'platform_login',
    changed: { holder: nothing, holder_email: nothing },
  },
  account_figures: { do: 'keep' },
  trade_deals: { do: 'keep', words: 'cmd symbol', marks: 'order_id position_id', changed: { comment: `''` } },
  trade_histories: { do: 'keep', changed: { positions: nothing, positions_read_at: nothing } },

  bank_accounts: {
    do: 'keep',
    words: 'currency country_code',
    changed: { ...erased('bank_accounts'), swift: said, bank_name: said },
  },
  fund_accounts: { do: 'keep', words: 'type preferred_currency', changed: erased('fund_accounts') },
  company_bank_accounts: {
    do: 'keep',
    words: 'currency',
    changed: {
      ...{ account_holder: said, bank_name: said, bank_account: sayIf('bank_account') },
      ...{ iban_number: sayIf('iban_number'), swift: sayIf('swift'), sort_code: sayIf('sort_code') },
      ...{ address_line_1: sayIf('address_line_1'), identifier: sayIf('identifier'), notes: nothing },
    },
  },
  balance_transactions: {
    do: 'keep',
    words: 'type currency state source payment_method rejection_reason coin',
    marks: 'platform_ticket payout_reference',
    // For a member's own account the text holds bank and number; for a provider only its name.
    changed: { ...transaction, destination: `case when destination like 'psp:%' then destination end` },
  },
  transaction_events: { do: 'keep', words: 'event actor_kind', changed: { note: nothing } },
  transaction_attachments: { do: 'keep' },
  withdrawal_approvals: { do: 'keep' },
  deposit_orders: {
    do: 'keep',
    words: 'currency state staff_reason coin',
    marks: 'attempt reference',
    changed: erased('deposit_orders'),
  },
  payout_orders: {
    do: 'keep',
    words: 'currency state staff_reason coin',
    marks: 'attempt reference',
    changed: erased('payout_orders'),
  },
  payment_cases: {
    do: 'keep',
    words: 'kind why paid_currency word state decision',
    marks: 'payment claims provider_time',
    changed: { note: sayIf('note'), outside_reference: nothing },
  },
  payment_credits: { do: 'keep', marks: 'payment provider_time' },
  payment_notifications: {
    do: 'keep',
    words: 'method verdict outcome',
    changed: {
      ...{ query: `''`, headers: `'{}'`, body: `'\\x'`, reported: nothing, why: nothing },
      content_id: hashOf('notification_id'),
    },
  },
  platform_intents: {
    do: 'keep',
    words: 'kind currency state decided_outcome',
    marks: 'platform_login tag ticket look_alikes decided_ticket',
    changed: { note: said, platform_text: nothing, last_problem: nothing },
  },
  platform_operations: { do: 'keep', words: 'currency', marks: 'ticket tag' },
  ledger_checks: { do: 'keep' },
  ledger_findings: { do: 'keep', words: 'kind', marks: 'subject platform_login', changed: { detail: said } },
  reconciliation_days: { do: 'keep', words: 'day state' },
  reconciliation_sums: { do: 'keep', words: 'day currency method type' },
  reconciliation_differences: {
    do: 'keep',
    words: 'day kind currency method provider_currency state',
    marks: 'subject reference',
    changed: { note: sayIf('note') },
  },
  reconciliation_readings: { do: 'keep', words: 'day', changed: { problem: nothing } },

  requests: {
    do: 'keep',
    words: 'priority status',
    changed: { ...erased('requests'), assigned_staff_name: staffIf('assigned_staff_name') },
  },
  request_events: {
    do: 'keep',
    words: 'kind from_status to_status',
    changed: {
      ...erased('request_events'),
      staff_name: staffIf('staff_name'),
      assigned_name: staffIf('assigned_name'),
    },
  },
  form_answers: { do: 'keep', changed: { answers: `'{}'`, sent: `'{}'`, band: nothing } },
  form_answer_files: { do: 'keep', words: 'input_name' },
  tickets: {
    do: 'keep',
    words: 'type priority state',
    changed: { ...erased('tickets'), taken_by_name: staffIf('taken_by_name') },
  },
  ticket_messages: {
    do: 'keep',
    words: 'type',
    changed: { content: sayIf('content'), staff_name: staffIf('staff_name') },
  },
  ticket_notes: { do: 'keep', changed: { content: said, staff_name: `'Staff'` } },
  ticket_reads: { do: 'keep' },
  // A stored search may hold a member's name.
  staff_list_views: { do: 'keep', words: 'list', changed: { saved: `'[]'`, hidden: `'[]'` } },
  documents: { do: 'keep', words: 'status expires_on expiry_told_for', changed: erased('documents') },
  document_requests: { do: 'keep', words: 'state', changed: erased('document_requests') },
  document_events: { do: 'keep', words: 'event actor_kind', changed: erased('document_events') },
  identity_checks: { do: 'keep', words: 'state', changed: erased('identity_checks') },

  canned_replies: { do: 'keep', house: 'name content' },
  counters: { do: 'keep', words: 'name' },
  file_categories: { do: 'keep', house: 'name description' },
  forms: { do: 'keep', house: 'name show_on category vendors departments' },
  form_versions: { do: 'keep', house: 'definition', changed: { made_by_name: staffIf('made_by_name') } },
  identity_vendors: {
    do: 'keep',
    words: 'app_uid',
    changed: { settings: `'{}'`, sealed_secret: `'\\x'`, enabled: 'false' },
  },
  kyc_categories: { do: 'keep', house: 'name' },
  payment_providers: { do: 'keep', words: 'app_uid', house: 'title coins logo_url' },
  payment_provider_currencies: { do: 'keep', words: 'currency' },
  platform_downloads: { do: 'keep', words: 'system', house: 'name link' },
  platform_files: { do: 'keep', words: 'content_type', marks: 'sha256 storage_key', house: 'name' },
  request_types: { do: 'keep', words: 'predefined_type changes', house: 'name description' },
  terms_drafts: { do: 'keep', house: 'name tickbox_text template blocked_portal_sections' },
  terms_templates: { do: 'keep', words: 'state' },
  terms_versions: { do: 'keep', house: 'name tickbox_text template blocked_portal_sections' },
  trading_platforms: { do: 'keep', words: 'type', house: 'name groups client_server' },
  valid_documents: { do: 'keep', house: 'name' },
  workspace_logos: { do: 'keep', words: 'content_type', house: 'content' },
  workspaces: {
    do: 'keep',
    house: 'subdomain name accent logo_url features settings vendors departments versions',
    changed: { support_email: nothing },
  },
}
