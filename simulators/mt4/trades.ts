import Big from 'big.js'
import { tradePrice, tradeProfit } from '../metatrader/account-metrics.ts'
import { instrumentOf } from '../metatrader/market.ts'
import { metricsOf, openTrades, tradeOf, userOf } from './accounts.ts'
import {
  type Call,
  cursorOf,
  limitOf,
  momentOf,
  pageOf,
  refuseUnknownFields,
  refuseWhileStale,
  textOf,
} from './calls.ts'
import { groupOf } from './groups.ts'
import { Refusal, type Reply } from './refusal.ts'
import type { TradeRow, UserRow } from './state.ts'
import { platformNow, platformSeconds, utcText, type World } from './world.ts'

export const AMOUNT_MAX = '1000000000'
const COMMENT_CHARS = 31
export const CMD_BALANCE = 6
export const CMD_CREDIT = 7
const STATE_CLOSED = 3

type NewTrade = Partial<Omit<TradeRow, 'ticket'>> & Pick<TradeRow, 'login' | 'cmd' | 'open_time'>

export function insertTrade(world: World, trade: NewTrade): number {
  return world.state.insert('trades', {
    symbol: '',
    volume: 0,
    state: trade.close_time === 0 || trade.close_time === undefined ? 0 : STATE_CLOSED,
    reason: 0,
    open_price: '0',
    sl: '0',
    tp: '0',
    close_time: 0,
    close_price: '0',
    commission: '0',
    storage: '0',
    profit: '0',
    ...trade,
    comment: (trade.comment ?? '').slice(0, COMMENT_CHARS),
  })
}

type Booking = { cmd: number; amount: string; at: number; comment: string }

/** A balance row opens and closes at the same time, and its profit is the amount. */
export function bookBalance(world: World, user: UserRow, { cmd, amount, at, comment }: Booking): number {
  return world.state.atOnce(() => {
    const column = cmd === CMD_CREDIT ? 'credit' : 'balance'
    const digits = groupOf(world, user.group_name).currency_digits
    const before = world.state.one<UserRow>('select * from users where login = ?', user.login) ?? user
    const after = new Big(before[column]).plus(amount).toFixed(digits)
    world.state.run(`update users set ${column} = ? where login = ?`, after, user.login)
    const times = { open_time: at, close_time: at }
    return insertTrade(world, { login: user.login, cmd, ...times, profit: amount, comment })
  })
}

/** Check and booking run without interruption in one thread: a real bridge needs a lock here. */
export function changeBalance(world: World, { login, body }: Call, comment?: string): Reply {
  refuseWhileStale(world)
  refuseUnknownFields(body, ['tag', 'kind', 'amount', 'comment', 'check_margin'])
  if (!world.switches.accountantAllowed) throw new Refusal('not_permitted', 7)
  const user = userOf(world, login)
  const { kind, amount: text, check_margin: isChecked } = body
  if (kind !== 'balance' && kind !== 'credit') throw new Refusal('bad_request')
  if (typeof text !== 'string' || !/^-?\d{1,15}(\.\d{1,12})?$/.test(text)) throw new Refusal('bad_request')
  if (typeof isChecked !== 'boolean') throw new Refusal('bad_request')
  const { currency_digits: digits } = groupOf(world, user.group_name)
  const amount = new Big(text)
  if (amount.eq(0) || !amount.eq(amount.round(digits))) throw new Refusal('invalid', 3)
  if (amount.abs().gt(AMOUNT_MAX)) throw new Refusal('amount_limit', 3)
  if (amount.lt(0)) refuseOverdraft(world, user, { kind, taken: amount.abs(), isChecked })
  world.active.add(user.login)
  const order = bookBalance(world, user, {
    cmd: kind === 'credit' ? CMD_CREDIT : CMD_BALANCE,
    amount: amount.toFixed(digits),
    at: platformNow(world),
    comment: comment ?? textOf(body, 'comment', COMMENT_CHARS) ?? '',
  })
  return { status: 201, body: { order: String(order) } }
}

type Withdrawal = { kind: 'balance' | 'credit'; taken: Big; isChecked: boolean }

function refuseOverdraft(world: World, user: UserRow, { kind, taken, isChecked }: Withdrawal): void {
  if (taken.gt(kind === 'credit' ? user.credit : user.balance)) throw new Refusal('insufficient_funds', 134)
  if (isChecked && taken.gt(metricsOf(world, user).marginFree)) throw new Refusal('insufficient_funds', 134)
}

function tradeRecord(world: World, row: TradeRow): Record<string, unknown> {
  const group = groupOf(world, userOf(world, String(row.login)).group_name)
  const digits = row.symbol === '' ? 0 : instrumentOf(row.symbol).digits
  const price = (value: Big | string) => new Big(value).toFixed(digits)
  const money = (value: Big | string) => new Big(value).toFixed(group.currency_digits)
  const isRunning = row.close_time === 0 && row.cmd <= 1
  const terms = { currency: group.currency, digits: group.currency_digits }
  return {
    order: String(row.ticket),
    login: String(row.login),
    symbol: row.symbol,
    digits,
    cmd: row.cmd,
    volume: row.volume,
    state: row.state,
    reason: row.reason,
    open_time: utcText(world, row.open_time),
    open_price: price(row.open_price),
    sl: price(row.sl),
    tp: price(row.tp),
    close_time: row.close_time === 0 ? null : utcText(world, row.close_time),
    close_price: price(isRunning ? tradePrice(world.market, tradeOf(row)) : row.close_price),
    commission: money(row.commission),
    storage: money(row.storage),
    profit: money(isRunning ? tradeProfit(world.market, tradeOf(row), terms) : row.profit),
    taxes: money('0'),
    magic: 0,
    comment: row.comment,
  }
}

export function listTrades(world: World, call: Call): Reply {
  const user = userOf(world, call.login)
  const after = cursorOf(call, 1)?.[0] ?? 0
  const limit = limitOf(call)
  const rows = openTrades(world, user.login).filter((row) => row.ticket > after)
  const { page, next_cursor } = pageOf(rows, limit, (row) => [row.ticket])
  return { status: 200, body: { items: page.map((row) => tradeRecord(world, row)), next_cursor } }
}

/** The time window in platform time, in which the history is stored. */
function closedRows(world: World, call: Call, tag: string | null): { page: TradeRow[]; next_cursor: string | null } {
  const from = platformSeconds(world, momentOf(call, 'from'))
  const to = platformSeconds(world, momentOf(call, 'to'))
  const [time, ticket] = cursorOf(call, 2) ?? [0, 0]
  const limit = limitOf(call)
  const rows = world.state.all<TradeRow>(
    `select * from trades where login = ? and close_time > 0 and close_time between ? and ?
       and (close_time, ticket) > (?, ?)
       and (? is null or (cmd in (6, 7) and upper(substr(comment, 1, 17)) = upper(?)))
     order by close_time, ticket limit ?`,
    Number(call.login),
    from,
    to,
    time ?? 0,
    ticket ?? 0,
    tag,
    tag,
    limit + 1,
  )
  return pageOf(rows, limit, (row) => [row.close_time, row.ticket])
}

const nothing: Reply = { status: 200, body: { items: [], next_cursor: null } }

export function listHistory(world: World, call: Call): Reply {
  if (world.switches.stale) return nothing
  userOf(world, call.login)
  const { page, next_cursor } = closedRows(world, call, null)
  return { status: 200, body: { items: page.map((row) => tradeRecord(world, row)), next_cursor } }
}

export function findBalanceOperations(world: World, call: Call): Reply {
  const tag = call.query.get('tag') ?? ''
  if (!/^A[0-9A-HJKMNP-TV-Z]{16}$/i.test(tag)) throw new Refusal('bad_request')
  if (world.switches.stale) return nothing
  const user = userOf(world, call.login)
  const digits = groupOf(world, user.group_name).currency_digits
  const { page, next_cursor } = closedRows(world, call, tag)
  const items = page.map((row) => ({
    order: String(row.ticket),
    kind: row.cmd === CMD_CREDIT ? 'credit' : 'balance',
    amount: new Big(row.profit).toFixed(digits),
    comment: row.comment,
    at: utcText(world, row.close_time),
  }))
  return { status: 200, body: { items, next_cursor } }
}
