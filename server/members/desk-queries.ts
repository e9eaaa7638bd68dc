import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readMember } from '@atrium/contract/members/desk-calls.ts'
import type { DocumentsStatus, MemberStatus } from '@atrium/contract/members/states.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import type { TicketState } from '@atrium/contract/tickets/states.ts'
import { sql } from 'kysely'
import { deskQrOf } from '../banking/queries.ts'
import { mediaUrl } from '../files/media.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { readOpeningsOf } from '../openings/desk-queries.ts'
import { readFactors } from '../sessions/factors/factors.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { readReferral } from './sales.ts'

export type DeskMember = CallAnswer<typeof readMember>['member']

/** More than any member has; the limit only bounds one answer. */
const rowsMax = 200
const transactionsShown = 8
const ticketsShown = 5

/** One member with everything that staff need during a phone call. */
export function readDeskMember(staff: Staff, memberId: string): Promise<DeskMember> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await readRow(tx, staff, memberId)
    if (!row) refuseNotFound()
    const accounts = await readAccounts(tx, staff, memberId)
    const { features } = await readWorkspace(tx, staff)
    return {
      _id: row.member_id,
      name: `${row.first_name} ${row.last_name}`,
      title: row.title,
      picture: row.picture_media_id
        ? `/cp${mediaUrl({ media_id: row.picture_media_id, name: row.picture_name ?? '' })}`
        : null,
      customer_number: row.customer_number,
      email: row.email,
      emails: row.emails.length > 0 ? row.emails : [row.email],
      phones: row.phones,
      type: row.type,
      status: row.status as MemberStatus,
      documents_status: row.documents_status as DocumentsStatus,
      created_at: row.created_at.getTime(),
      permissions: row.permissions,
      features,
      last_seen_at: row.last_seen_at?.getTime() ?? null,
      live_count: accounts.filter(({ live_account }) => live_account).length,
      demo_count: accounts.filter(({ live_account }) => !live_account).length,
      accounts,
      openings: await readOpeningsOf(tx, staff, memberId),
      addresses: await readAddresses(tx, staff, memberId),
      bank_accounts: await readBankAccounts(tx, staff, memberId),
      other_accounts: await readOtherAccounts(tx, staff, memberId),
      transactions: await readTransactions(tx, staff, memberId),
      totals: await readTotals(tx, staff, memberId),
      ...(await readTickets(tx, staff, memberId)),
      second_factors: await readSecondFactors(tx, staff, memberId),
      lock: await readLock(tx, staff, memberId),
      details: {
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        version: row.profile_version,
      },
      invited_until: row.invited_until?.getTime() ?? null,
      ...(await readReferral(tx, staff, memberId, row.referred_by)),
    }
  })
}

function readRow(tx: Tx, staff: Staff, memberId: string) {
  const lastSeen = sql<Date | null>`(select max(last_seen_at) from sessions
    where sessions.workspace_id = members.workspace_id and sessions.member_id = members.member_id)`
  const pictureName = sql<string | null>`(select name from media
    where media.workspace_id = members.workspace_id and media.media_id = members.picture_media_id)`
  const invitedUntil = sql<Date | null>`(select max(expires_at) from password_resets
    where password_resets.workspace_id = members.workspace_id and password_resets.member_id = members.member_id
    and purpose = 'invitation' and used_at is null and superseded_at is null
    and expires_at > ${staff.context.clock.now()})`
  return tx
    .selectFrom('members')
    .select(['member_id', 'title', 'first_name', 'last_name', 'customer_number', 'email', 'emails', 'phones', 'type'])
    .select(['status', 'documents_status', 'created_at', 'permissions', lastSeen.as('last_seen_at')])
    .select(['profile_version', 'referred_by', invitedUntil.as('invited_until')])
    .select(['picture_media_id', pictureName.as('picture_name')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

async function readAddresses(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['addresses']> {
  const rows = await tx
    .selectFrom('member_addresses')
    .select(['address_line_1', 'address_line_2', 'city', 'postcode', 'state', 'country_code', 'is_primary'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('address_id')
    .limit(rowsMax)
    .execute()
  return rows.map(({ country_code, is_primary, ...parts }) => ({
    lines: [
      parts.address_line_1,
      parts.address_line_2,
      [parts.postcode, parts.city].filter(Boolean).join(' '),
      parts.state,
    ].filter((line): line is string => Boolean(line)),
    country_code,
    primary: is_primary,
  }))
}

async function readAccounts(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['accounts']> {
  const rows = await tx
    .selectFrom('trading_accounts as account')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .select(['account.account_id', 'account.platform_login', 'account.live_account', 'account.currency'])
    .select(['account.leverage', 'account.status', 'account.balance', 'account.equity', 'account.synced_at'])
    .select('platform.type as platform_type')
    .where('account.workspace_id', '=', staff.workspaceId)
    .where('account.member_id', '=', memberId)
    .where('account.deleted', '=', false)
    .orderBy('account.live_account', 'desc')
    .orderBy('account.created_at', 'desc')
    .orderBy('account.account_id', 'desc')
    .limit(rowsMax)
    .execute()
  const scaled = (amount: string | null, currency: string) => (amount === null ? null : toScale(amount, currency))
  return rows.map(({ account_id, synced_at, balance, equity, ...row }) => ({
    ...row,
    _id: account_id,
    balance: scaled(balance, row.currency),
    equity: scaled(equity, row.currency),
    as_of: synced_at?.getTime() ?? null,
  }))
}

async function readBankAccounts(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['bank_accounts']> {
  const rows = await tx
    .selectFrom('bank_accounts')
    .select(['bank_account_id', 'bank_name', 'account_holder', 'iban_number', 'bank_account', 'swift', 'currency'])
    .select(['country_code', 'usable_from'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('bank_account_id', 'desc')
    .limit(rowsMax)
    .execute()
  return rows.map(({ bank_account_id, iban_number, bank_account, usable_from, ...row }) => ({
    ...row,
    _id: bank_account_id,
    usable_from: usable_from.getTime(),
    number: iban_number ?? bank_account ?? '',
  }))
}

async function readOtherAccounts(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['other_accounts']> {
  const rows = await tx
    .selectFrom('fund_accounts as account')
    .leftJoin('media as qr', (join) =>
      join.onRef('qr.workspace_id', '=', 'account.workspace_id').onRef('qr.media_id', '=', 'account.qr_media_id'),
    )
    .select(['account.fund_account_id as _id', 'account.name', 'account.type', 'account.provider', 'account.notes'])
    .select(['account.preferred_currency', 'account.address_id', 'account.address_tag', 'account.usable_from'])
    .select(['qr.media_id as qr_media_id', 'qr.name as qr_name', 'qr.scan as qr_scan'])
    .where('account.workspace_id', '=', staff.workspaceId)
    .where('account.member_id', '=', memberId)
    .where('account.removed_at', 'is', null)
    .orderBy('account.created_at', 'desc')
    .orderBy('account.fund_account_id', 'desc')
    .limit(rowsMax)
    .execute()
  return rows.map((row) => ({ ...row, address_qr: deskQrOf(row), usable_from: row.usable_from.getTime() }))
}

async function readTransactions(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['transactions']> {
  const rows = await tx
    .selectFrom('balance_transactions')
    .select(['transaction_id', 'ticket', 'type', 'state', 'amount', 'currency', 'created_at'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('transaction_id', 'desc')
    .limit(transactionsShown)
    .execute()
  return rows.map(({ transaction_id, amount, created_at, ...row }) => ({
    ...row,
    _id: transaction_id,
    amount: toScale(amount, row.currency),
    created_at: created_at.getTime(),
  }))
}

/** Sums of live accounts only, without demo funds. */
async function readTotals(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['totals']> {
  const sumOf = (type: string) => sql<string>`coalesce(sum(moved.amount) filter (where moved.type = ${type}), 0)::text`
  const rows = await tx
    .selectFrom('balance_transactions as moved')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'moved.workspace_id')
        .onRef('account.account_id', '=', 'moved.account_id'),
    )
    .select(['moved.currency', sumOf('deposit').as('deposits'), sumOf('withdrawal').as('withdrawals')])
    .where('moved.workspace_id', '=', staff.workspaceId)
    .where('moved.member_id', '=', memberId)
    .where('moved.state', '=', 'approved')
    .where('account.live_account', '=', true)
    .groupBy('moved.currency')
    .orderBy('moved.currency')
    .execute()
  return rows.map(({ currency, deposits, withdrawals }) => ({
    currency,
    deposits: toScale(deposits, currency),
    withdrawals: toScale(withdrawals, currency),
  }))
}

async function readTickets(
  tx: Tx,
  staff: Staff,
  memberId: string,
): Promise<Pick<DeskMember, 'tickets' | 'ticket_count'>> {
  const own = tx
    .selectFrom('tickets')
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .where('merged_into', 'is', null)
  const rows = await own
    .select(['ticket_id', 'number', 'subject', 'state', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('ticket_id', 'desc')
    .limit(ticketsShown)
    .execute()
  const { total } = await own.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return {
    tickets: rows.map(({ ticket_id, number, state, created_at, subject }) => ({
      _id: ticket_id,
      ticket: number,
      subject,
      state: state as TicketState,
      created_at: created_at.getTime(),
    })),
    ticket_count: total,
  }
}

async function readSecondFactors(tx: Tx, staff: Staff, id: string): Promise<DeskMember['second_factors']> {
  const { totp, passkeys } = await readFactors(tx, staff, { kind: 'member', id })
  return { totp: totp !== null, passkeys: passkeys.length }
}

async function readLock(tx: Tx, staff: Staff, memberId: string): Promise<DeskMember['lock']> {
  const row = await tx
    .selectFrom('member_locks as lock')
    .innerJoin('staff_users as colleague', (join) =>
      join.onRef('colleague.workspace_id', '=', 'lock.workspace_id').onRef('colleague.staff_id', '=', 'lock.locked_by'),
    )
    .select(['lock.reason', 'lock.locked_at', 'colleague.name'])
    .where('lock.workspace_id', '=', staff.workspaceId)
    .where('lock.member_id', '=', memberId)
    .where('lock.lifted_at', 'is', null)
    .executeTakeFirst()
  return row ? { reason: row.reason, at: row.locked_at.getTime(), by: row.name } : null
}
