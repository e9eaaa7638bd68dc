import { addAmounts, type Decimal, isMore, isSame, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { statementTexts } from '@atrium/contract/statements/calls.ts'
import { authorize, authorizePermission, type Member, systemActor } from '../foundation/actor.ts'
import { listing, reading, type Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { askForReading, type History, readHistory } from '../trades/history.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import * as queries from './queries.ts'

export type StatementLine = { at: Date; what: string; reference: string | null; amount: Decimal; balance: Decimal }

export type Statement = {
  brand: { name: string; accent: string }
  holder: { name: string; number: string }
  account: { login: string; platform: string; currency: string; isLive: boolean }
  month: string
  period: queries.Period
  timeZone: string
  /** Set where the month has not ended, or the platform has not been read since. */
  until: Date | null
  opening: Decimal
  paidIn: Decimal
  paidOut: Decimal
  traded: Decimal
  closing: Decimal
  lines: StatementLine[]
  /** Set where the platform's balance differs from the sum of its ledger. */
  differs: { at: Date; balance: Decimal; ledger: Decimal } | null
  writtenAt: Date
}

const perMember: Limit = { name: 'statement', triesMax: 30, windowSeconds: 15 * 60 }
/** Ten years; staff provide older statements. */
const monthsMax = 120
const utc = 'UTC'

function authorizeStatements(member: Member): void {
  authorize(member, 'my_accounts')
  authorizePermission(member, 'transactions')
}

/** The months of an account that have a statement, latest first. */
export async function listMonths(member: Member, accountId: string): Promise<{ time_zone: string; months: string[] }> {
  authorizeStatements(member)
  return reading(member, async (tx) => {
    const { account, timeZone } = await findOwn(tx, member, accountId)
    const first = await queries.firstMoment(tx, member, account)
    const last = await lastMoment(tx, member, account)
    const [from, to] = [first, last].map((at) => monthOf(at, timeZone)) as [string, string]
    const months: string[] = []
    for (let month = to; month >= from && months.length < monthsMax; month = monthBefore(month)) months.push(month)
    return { time_zone: timeZone, months }
  })
}

/**
 * Opening balance, bookings and closing balance of an own account for a month, from the platform's ledger. Refused
 * while the ledger is incomplete.
 */
export async function writeStatement(member: Member, accountId: string, month: string): Promise<Statement> {
  authorizeStatements(member)
  await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
  const { account, statement } = await listing(member, async (tx) => {
    const own = await findOwn(tx, member, accountId)
    const period = await queries.periodOf(tx, month, own.timeZone)
    if (month < monthOf(await queries.firstMoment(tx, member, own.account), own.timeZone)) refuseMonth()
    if (period.from > (await lastMoment(tx, member, own.account))) refuseMonth()
    const history = await readHistory(tx, member, accountId)
    const isEnough = isRead(history, period, member.context.clock.now())
    return {
      account: own.account,
      statement: isEnough ? await assemble(tx, member, { ...own, month, period, history }) : null,
    }
  })
  const isCurrent = statement && (statement.until === null || isRecent(statement.until, member.context.clock.now()))
  if (isCurrent) return statement
  await askForReading(member, { account_id: accountId, member_id: member.memberId, platform_id: account.platform_id })
  return statement ?? refuse('unavailable', statementTexts.beingRead)
}

type Known = History & { read_to: Date }

/** The month that has not ended is shown as of its last reading, up to this age. */
const staleMs = 3_600_000
const isRecent = (readTo: Date, now: Date): boolean => +readTo >= +now - staleMs

/**
 * Whether the ledger is complete and has been read to the end of the month, or until lately. Of a platform that does not
 * answer, what was read of the month before is shown with its time.
 */
function isRead(history: History | undefined, { from, to }: queries.Period, now: Date): history is Known {
  if (history?.is_complete !== true || history.read_to === null || history.read_to <= from) return false
  return history.failing_since !== null || history.read_to >= to || isRecent(history.read_to, now)
}

/** An archived account that its platform no longer has is never read again, so no later month is ever complete. */
async function lastMoment(tx: Tx, member: Member, { account_id, archived }: queries.StatementAccount): Promise<Date> {
  const history = archived ? await readHistory(tx, member, account_id) : undefined
  return (history?.failing_since && history.read_to) || member.context.clock.now()
}

const refuseMonth = (): never => refuse('not_found', statementTexts.noSuchMonth)

async function findOwn(tx: Tx, member: Member, accountId: string) {
  const account = await queries.findAccount(tx, member, accountId)
  if (!account) refuse('not_found', 'There is no such account.')
  const holder = await queries.readHolder(tx, member)
  return { account, holder, timeZone: holder.time_zone ?? utc }
}

type Found = Awaited<ReturnType<typeof findOwn>> & { month: string; period: queries.Period; history: Known }

async function assemble(tx: Tx, member: Member, found: Found): Promise<Statement> {
  const { account, holder, timeZone, period, history } = found
  const { name, accent } = await readWorkspace(tx, member)
  const accountId = account.account_id
  const ledger = await queries.readLedger(tx, member, { ...period, accountId, timeZone })
  const { opening, paidIn, paidOut, traded, entries } = ledger
  const closing = [opening, paidIn, paidOut, traded].reduce(addAmounts)
  const scaled = (amount: string) => toScale(amount, account.currency)
  return {
    brand: { name, accent },
    holder: { name: `${holder.first_name} ${holder.last_name}`, number: holder.customer_number },
    account: {
      login: account.platform_login,
      platform: account.platform_name,
      currency: account.currency,
      isLive: account.live_account,
    },
    month: found.month,
    period,
    timeZone,
    until: history.read_to < period.to ? history.read_to : null,
    opening: scaled(opening),
    paidIn: scaled(paidIn),
    paidOut: scaled(paidOut),
    traded: scaled(traded),
    closing: scaled(closing),
    lines: linesOf(entries, { opening, closing, currency: account.currency, end: period.to }),
    differs: history.read_to < period.to ? await findDifference(tx, member, account, history.read_to) : null,
    writtenAt: member.context.clock.now(),
  }
}

/** A balance and its deal may be read at slightly different times, by different clocks. */
const apartMs = 2 * 60_000

/**
 * Compares the platform's balance with the sum of its ledger at that moment. A balance newer than the last read of the
 * ledger may include an unread deal, which is no difference.
 */
async function findDifference(
  tx: Tx,
  member: Member,
  { account_id, currency, balance, synced_at: at }: queries.StatementAccount,
  readTo: Date,
): Promise<Statement['differs']> {
  if (balance === null || at === null || at > readTo) return null
  const ledgerAt = (ms: number) => queries.balanceBefore(tx, member, account_id, new Date(ms))
  const ledger = await ledgerAt(at.getTime())
  if (isSame(ledger, balance)) return null
  for (const ms of [at.getTime() - apartMs, at.getTime() + apartMs])
    if (isSame(await ledgerAt(ms), balance)) return null
  member.context.log.error({ account: account_id, balance, ledger }, 'a statement differs from its platform')
  return { at, balance: toScale(balance, currency), ledger: toScale(ledger, currency) }
}

type Ends = { opening: Decimal; closing: Decimal; currency: string; end: Date }

/** Adds the balance after each line. Entries beyond the limit become one line, so that the last balance is the closing one. */
export function linesOf(entries: readonly queries.Entry[], { opening, closing, currency, end }: Ends): StatementLine[] {
  let balance = opening
  const lines = entries.map((entry): StatementLine => {
    balance = addAmounts(balance, entry.amount)
    return {
      at: entry.at,
      what: bookingOf(entry),
      reference: entry.ticket ?? entry.deal_id,
      amount: toScale(entry.amount, currency),
      balance: toScale(balance, currency),
    }
  })
  if (isSame(balance, closing)) return lines
  const rest = subtractAmounts(closing, balance)
  const [amount, last] = [toScale(rest, currency), toScale(closing, currency)]
  return [...lines, { at: end, what: 'Further operations', reference: null, amount, balance: last }]
}

const bookings: Record<string, string> = {
  OP_CHARGE: 'Charge',
  OP_CORRECTION: 'Correction',
  OP_COMMISSION: 'Commission',
  OP_COMMISSION_DAILY: 'Commission',
  OP_COMMISSION_MONTHLY: 'Commission',
  OP_INTEREST: 'Interest',
  OP_DIVIDEND: 'Dividend',
  OP_DIVIDEND_FRANKED: 'Dividend',
  OP_TAX: 'Tax',
}

function bookingOf({ cmd, amount, closed }: queries.Entry): string {
  if (cmd === 'trades')
    return closed === 0 ? 'Trading costs' : closed === 1 ? '1 closed trade' : `${closed} closed trades`
  if (cmd === 'OP_BALANCE') return isMore(amount, '0') ? 'Deposit' : 'Withdrawal'
  return bookings[cmd] ?? 'Other operation'
}

/** `2026-11` in the given time zone. */
export function monthOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(at)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}`
}

export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`
}
