import { escapeHtml } from '../notifications/templates.ts'
import { memberColumns } from './member-columns.ts'
import type { Exported } from './personal-data/export.ts'

/** Headings of the tables for the member. A test compares them with `exportedTables`. */
export const headings: Record<string, string> = {
  members: 'Profile',
  member_addresses: 'Addresses',
  trading_accounts: 'Trading accounts',
  account_openings: 'Account applications',
  account_figures: 'Balances over time',
  account_differences: 'Account discrepancies',
  platform_operations: 'Operations on the trading platform',
  reconciliation_differences: 'Reconciliation differences',
  balance_transactions: 'Deposits, withdrawals and transfers',
  transaction_events: 'History of deposits, withdrawals and transfers',
  transaction_attachments: 'Receipts and other proof of transfers',
  withdrawal_approvals: 'Withdrawal approvals',
  deposit_orders: 'Payment orders',
  payment_cases: 'Payment exceptions',
  payment_credits: 'Credited payments',
  payout_orders: 'Provider payouts',
  bank_accounts: 'Bank accounts',
  fund_accounts: 'Wallets and other accounts for payouts',
  trade_deals: 'Trades',
  trade_histories: 'Trade history status',
  documents: 'Documents',
  document_events: 'Document history',
  document_requests: 'Requested documents',
  identity_checks: 'Identity checks',
  media: 'Files',
  uploads: 'Uploads in progress',
  requests: 'Requests',
  request_events: 'Request history',
  form_answers: 'Form answers',
  form_answer_files: 'Files in form answers',
  form_drafts: 'Form drafts',
  tickets: 'Tickets',
  ticket_messages: 'Ticket messages',
  terms_acceptances: 'Accepted terms',
  notices: 'Notifications',
  notice_boxes: 'Read notifications',
  mails: 'Emails',
  sessions: 'Sign-ins',
  known_devices: 'Known devices',
  passkeys: 'Passkeys',
  passkey_challenges: 'Passkey registrations in progress',
  totp_factors: 'Authenticator apps',
  recovery_codes: 'Recovery codes',
  sign_in_challenges: 'Sign-ins waiting for a second factor',
  password_resets: 'Password links',
  member_locks: 'Sign-in locks',
  nonces: 'Idempotency keys',
  member_writes: 'Position of the last change',
  member_words: 'Search terms for support',
  audit_log: 'Audit log',
}

/** Rows shown of a table, since a browser cannot show a million. */
export const shownAtMost = 5_000

/** `counts`: the total number of rows of tables of which `tables` holds only the last ones. */
type Described = Pick<Exported, 'tables' | 'files' | 'exported_at'> & { counts?: Record<string, number> }

/** One HTML page without scripts or network access. */
export function describeMember({ tables, files, exported_at, counts = {} }: Described): string {
  const filled = Object.keys(headings).filter((table) => (tables[table]?.length ?? 0) > 0)
  const [member = {}] = tables.members ?? []
  const name = [member.first_name, member.last_name].filter(Boolean).join(' ')
  const countOf = (table: string): number => counts[table] ?? tables[table]?.length ?? 0
  const contents = filled.map((table) => `<li><a href="#${table}">${headingOf(table)}</a> (${countOf(table)})</li>`)
  const sections = filled.map((table) => section(table, tables[table] ?? [], countOf(table)))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Personal data of ${escapeHtml(name)}</title><style>${style}</style></head><body>
<h1>Personal data of ${escapeHtml(name)}</h1>
<p>As of ${escapeHtml(readMoment(exported_at))}. everything.json has the complete data in machine-readable form.</p>
<p>Not included: passwords, keys and codes; internal notes and reasons of staff; IP addresses of staff; raw messages of payment
providers, identity vendors and trading platforms.</p>
<nav><ul>${contents.join('')}</ul></nav>
${files.length > 0 ? `<h2>Files in this archive</h2><ul>${files.map(fileLine).join('')}</ul>` : ''}
${sections.join('\n')}
</body></html>
`
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1d21;background:#fff}
h2{margin:2.5rem 0 .5rem;border-bottom:1px solid #d0d5dd;padding-bottom:.25rem}nav ul{columns:16rem;padding-left:1.2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem;margin:.75rem 0}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #e4e7ec;min-width:5rem}
th{font-weight:600;white-space:nowrap}td{overflow-wrap:anywhere;white-space:pre-wrap}
@media (prefers-color-scheme:dark){body{background:#14171a;color:#e6e8ea}a{color:#8ab4f8}h2,th,td{border-color:#3a4048}}`

const headingOf = (table: string): string => escapeHtml(headings[table] ?? sayColumn(table))

function fileLine({ name, in_archive }: Exported['files'][number]): string {
  if (in_archive === null) return `<li>${escapeHtml(name)}: left out because it may be harmful</li>`
  return `<li><a href="${escapeHtml(in_archive.split('/').map(encodeURIComponent).join('/'))}">${escapeHtml(name)}</a></li>`
}

type Row = Record<string, unknown>
const labels: Record<string, { label: string }> = memberColumns

function section(table: string, rows: readonly Row[], count: number): string {
  const columns = Object.keys(rows[0] ?? {}).filter(
    (column) => isForPeople(column) && rows.some((row) => isGiven(row[column])),
  )
  const body = rows.length <= 2 ? rows.map((row) => asPairs(table, columns, row)).join('') : asTable(columns, rows)
  const rest =
    count > rows.length ? `<p>The last ${rows.length} of ${count}. All of them are in everything.json.</p>` : ''
  return `<h2 id="${table}">${headingOf(table)}</h2>${rest}<div class="wide">${body}</div>`
}

/** Leaves out ids, which are in everything.json. */
const isForPeople = (column: string): boolean => !/(^|_)(id|key|keys|ids)$/.test(column)
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== null && value !== undefined && value !== '' && !(typeof value === 'string' && uuid.test(value))
}

function asPairs(table: string, columns: readonly string[], row: Row): string {
  const nameOf = (column: string): string =>
    (table === 'members' ? labels[column]?.label : undefined) ?? sayColumn(column)
  const lines = columns
    .filter((column) => isGiven(row[column]))
    .map((column) => `<tr><th scope="row">${escapeHtml(nameOf(column))}</th><td>${sayValue(row[column])}</td></tr>`)
  return `<table>${lines.join('')}</table>`
}

function asTable(columns: readonly string[], rows: readonly Row[]): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(sayColumn(column))}</th>`)
  const lines = rows.map((row) => `<tr>${columns.map((column) => `<td>${sayValue(row[column])}</td>`).join('')}</tr>`)
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('')}</tbody></table>`
}

function sayColumn(column: string): string {
  const words = column.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function sayValue(value: unknown): string {
  if (!isGiven(value)) return ''
  if (value instanceof Date) return escapeHtml(readMoment(value.toISOString()))
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return escapeHtml(value.join(', '))
  if (typeof value === 'object') return escapeHtml(JSON.stringify(value, null, 2))
  return escapeHtml(String(value))
}

/** To the minute, with the time zone. */
const readMoment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
