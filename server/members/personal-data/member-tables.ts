import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database.ts'
import type { Ending } from './ending.ts'
import type { Row } from './row.ts'

const ledger = 'Books of account are kept by law.'

/**
 * Every table whose rows belong to a member, with what erasing one means for it. A test reads the catalogue and fails for a
 * table that does not stand here. What is removed is removed in this order.
 */
export const memberTables: Record<string, Ending> = {
  members: { do: 'apart', where: 'erasure.ts' },
  member_words: { do: 'apart', where: 'a trigger writes them anew from the emptied row' },
  audit_log: { do: 'apart', where: 'erase_logged_details: who did what and when stays, the details go' },
  transaction_events: { do: 'apart', where: 'erase_logged_details: the notes go' },
  media: { do: 'apart', where: 'erasure.ts: receipts are proof of the books and lose their names, other files go' },
  mails: { do: 'apart', where: 'erasure.ts: they go, with the box in hand' },
  notices: { do: 'apart', where: 'erasure.ts: the same' },
  notice_boxes: { do: 'apart', where: 'erasure.ts: the same' },
  member_writes: { do: 'apart', where: 'erasure.ts: they go last, as they are written last' },
  member_addresses: { do: 'remove' },
  nonces: { do: 'remove' },
  password_resets: { do: 'remove' },
  uploads: { do: 'remove' },
  known_devices: { do: 'remove' },
  passkey_challenges: { do: 'remove' },
  sign_in_challenges: { do: 'remove' },
  recovery_codes: { do: 'remove' },
  passkeys: { do: 'remove' },
  totp_factors: { do: 'remove' },
  sessions: { do: 'blank', columns: { address: null, user_agent: null }, why: 'When somebody was signed in is proof.' },
  member_locks: { do: 'blank', columns: { reason: 'Erased' }, why: 'That the sign-in was locked is proof.' },
  requests: {
    do: 'blank',
    columns: { subject: 'Erased', description: null, comment: null, entity: null, wanted_change: null },
    why: 'What was asked of the brokerage, and what became of it, is part of its books.',
  },
  request_events: { do: 'blank', columns: { comment: null }, why: 'What became of a request is part of the books.' },
  // With them their files are attached to nothing, and go too.
  form_answer_files: { do: 'remove' },
  form_answers: { do: 'remove' },
  form_drafts: { do: 'remove' },
  ticket_messages: { do: 'remove' },
  ticket_notes: { do: 'remove' },
  tickets: {
    do: 'blank',
    columns: { subject: 'Erased', description: 'Erased' },
    why: 'How many there were, and how soon they were answered, are figures of the brokerage.',
  },
  bank_accounts: {
    do: 'blank',
    columns: {
      account_holder: 'Erased',
      bank_account: 'Erased',
      iban_number: null,
      address_line_1: null,
      city: null,
      state: null,
      bank_branch: null,
      postcode: null,
      routing_number: null,
    },
    why: ledger,
  },
  fund_accounts: {
    do: 'blank',
    columns: {
      ...{ name: 'Erased', provider: 'Erased', address_id: 'Erased' },
      ...{ address_tag: null, notes: null, qr_media_id: null },
    },
    why: ledger,
  },
  terms_acceptances: { do: 'keep', why: 'What was agreed to, when and from where is proof of the contract.' },
  account_openings: {
    do: 'blank',
    columns: { platform_text: null, last_problem: null, after_login: null },
    why: ledger,
  },
  account_figures: { do: 'keep', why: ledger },
  trading_accounts: { do: 'blank', columns: { city: null, country_code: null }, why: ledger },
  balance_transactions: {
    do: 'blank',
    columns: {
      ...{ comment: '', origin: null, destination: null, destination_text: null, rejection_note: null },
      ...{ coin: null, payout_reference: null, asked_from: null },
    },
    why: ledger,
  },
  deposit_orders: {
    do: 'blank',
    columns: { hand_off: null, problem: null, card_type: null },
    why: ledger,
  },
  payout_orders: { do: 'blank', columns: { problem: null }, why: ledger },
  documents: {
    do: 'blank',
    columns: { title: 'Erased', description: null, unverify_reason: 'Erased', reject_reason: 'Erased' },
    why: 'Who was identified, and by what, is kept by law.',
  },
  document_requests: {
    do: 'blank',
    columns: { note: '' },
    why: 'What was asked for is part of how somebody was identified.',
  },
  document_events: { do: 'blank', columns: { note: null }, why: 'How somebody was identified is kept by law.' },
  identity_checks: {
    do: 'blank',
    columns: { applicant_id: null, reason: null },
    why: 'How somebody was identified is kept by law; the vendor knows the check by its id.',
  },
  transaction_attachments: { do: 'keep', why: ledger },
  // Copies: the books of trades are the platform's.
  trade_histories: { do: 'remove' },
  trade_deals: { do: 'remove', inPiecesBy: ['account_id', 'deal_id'] },
}

/** Those with a member in them, as the database knows them: a table that came later is found too. */
export async function listMemberTables(tx: Tx): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'member_id' order by table_name`.execute(tx)
  return found.rows.map((row) => row.name)
}

/**
 * Tables that grow with trades, talks and movements have no index that begins with the member. Their rows are found by the rows
 * that they hang on, of which there are few: looking through a whole brokerage takes longer than a statement may. `order` is that of
 * what hangs on one of these.
 */
const foundBy: Record<string, { owner: string; key: string; order?: readonly string[] }> = {
  account_figures: { owner: 'trading_accounts', key: 'account_id' },
  trade_deals: { owner: 'trading_accounts', key: 'account_id', order: ['at', 'deal_id'] },
  trade_histories: { owner: 'trading_accounts', key: 'account_id' },
  transaction_attachments: { owner: 'balance_transactions', key: 'transaction_id' },
  transaction_events: { owner: 'balance_transactions', key: 'transaction_id' },
  request_events: { owner: 'requests', key: 'request_id' },
  form_answer_files: { owner: 'form_answers', key: 'answers_id' },
  ticket_messages: { owner: 'tickets', key: 'ticket_id' },
  ticket_notes: { owner: 'tickets', key: 'ticket_id' },
}

/** The rows of one member, for `where`, in a way that an index answers. */
export function isOfMember({ workspaceId }: Actor, table: string, memberId: string): RawBuilder<boolean> {
  const theirs = sql<boolean>`workspace_id = ${workspaceId}::uuid and member_id = ${memberId}::uuid`
  const { owner, key } = foundBy[table] ?? {}
  if (!owner || !key) return theirs
  // As a list that is there beforehand: a join would leave it to the planner to look through everything after all.
  const keys = sql`array(select ${sql.ref(key)} from ${sql.table(owner)} where ${theirs})`
  return sql<boolean>`${theirs} and ${sql.ref(key)} = any (${keys})`
}

const isTableName = /^[a-z_]+$/

/** How many rows are read at once of a table in which one member may have a million: for longer nobody else is answered. */
export const readAtOnce = 1_000

/** In pieces, at least one and maybe an empty one. */
export async function* rowsOf(tx: Tx, actor: Actor, table: string, memberId: string): AsyncGenerator<Row[], void> {
  if (!isTableName.test(table)) throw new Error('This is not a table')
  const ending = memberTables[table]
  if (ending?.do === 'remove' && ending.inPiecesBy) yield* piecesOf(tx, actor, table, memberId)
  else {
    const theirs = isOfMember(actor, table, memberId)
    yield (await sql<Row>`select * from ${sql.table(table)} where ${theirs} order by 1, 2, 3`.execute(tx)).rows
  }
}

/** By what they hang on, one after another: so an index has them in their order, and nothing is sorted before the first comes. */
async function* piecesOf(tx: Tx, actor: Actor, table: string, memberId: string): AsyncGenerator<Row[], void> {
  const { owner, key, order } = foundBy[table] ?? {}
  if (!owner || !key || !order) throw new Error(`${table} has no order to be read in`)
  const { rows: owners } = await sql<{ id: string }>`
    select ${sql.ref(key)} as id from ${sql.table(owner)} where ${isOfMember(actor, owner, memberId)} order by 1`.execute(
    tx,
  )
  yield []
  for (const { id } of owners) {
    await sql`
      declare pieces no scroll cursor for select * from ${sql.table(table)}
      where workspace_id = ${actor.workspaceId}::uuid and member_id = ${memberId}::uuid and ${sql.ref(key)} = ${id}::uuid
      order by ${sql.join(order.map((column) => sql.ref(column)))}`.execute(tx)
    let isMore = true
    while (isMore) {
      const { rows } = await sql<Row>`fetch forward ${sql.lit(readAtOnce)} from pieces`.execute(tx)
      yield rows
      isMore = rows.length === readAtOnce
    }
    await sql`close pieces`.execute(tx)
  }
}
