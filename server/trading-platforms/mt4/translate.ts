/** Pure functions from the bridge's records to ours. The platform's terms do not leave this file. */

import Big from 'big.js'
import type { AccountState, Deal, Decimal, GroupInfo, ListedAccount, Position } from '../contract.ts'
import { leverageOf } from '../platform-values.ts'
import type { AccountRecord, GroupRecord, TradeRecord } from './records.ts'

const commands = 'OP_BUY OP_SELL OP_BUY_LIMIT OP_SELL_LIMIT OP_BUY_STOP OP_SELL_STOP OP_BALANCE OP_CREDIT'.split(' ')

export function toGroup(record: GroupRecord): GroupInfo {
  return {
    name: record.name,
    currency: record.currency,
    currencyDigits: record.currency_digits,
    minPasswordLength: record.min_password_length,
    defaultLeverage: record.default_leverage,
    accounting: 'mt4',
  }
}

/** Without a margin state no trade is open, so the equity is balance plus credit. */
export function toAccount(record: AccountRecord): AccountState {
  const { currency_digits: currencyDigits } = record
  const money = (amount: Decimal | Big) => new Big(amount).toFixed(currencyDigits)
  const balance = money(record.balance)
  const credit = money(record.credit)
  const equity = money(record.equity ?? new Big(balance).plus(credit))
  return {
    login: record.login,
    group: record.group,
    currency: record.currency,
    currencyDigits,
    leverage: leverageOf(record.leverage),
    balance,
    credit,
    equity,
    floating: money(record.floating ?? '0'),
    margin: money(record.margin ?? '0'),
    marginFree: money(record.margin_free ?? equity),
    marginLevel: new Big(record.margin ?? '0').eq(0) ? null : record.margin_level,
    enabled: record.enable,
    tradingAllowed: !record.enable_read_only,
    passwordChangeAllowed: record.enable_change_password,
    source: record.equity === null ? 'record' : 'live',
  }
}

export function toListedAccount(record: AccountRecord): ListedAccount {
  const { login, group, leverage, balance, credit, comment, name, email } = record
  return {
    login,
    group,
    leverage: leverageOf(leverage),
    balance,
    credit,
    comment,
    name: name === '' ? null : name,
    email: email === '' ? null : email,
    enabled: record.enable,
    tradingAllowed: !record.enable_read_only,
    passwordChangeAllowed: record.enable_change_password,
    registeredAt: record.registered_at,
  }
}

/** The platform stores lots x 100, so both volumes come from one number. */
function toVolume({ volume }: TradeRecord): { lots: Decimal; hundredths: Decimal } {
  return { lots: new Big(volume).div(100).toFixed(), hundredths: String(volume) }
}

function priceOrNull(price: Decimal): Decimal | null {
  return new Big(price).eq(0) ? null : price
}

export function isTrade({ cmd }: TradeRecord): boolean {
  return cmd === 0 || cmd === 1
}

export function toPosition(record: TradeRecord): Position {
  return {
    id: record.order,
    login: record.login,
    symbol: record.symbol,
    side: record.cmd === 0 ? 'buy' : 'sell',
    ...toVolume(record),
    openPrice: record.open_price,
    currentPrice: record.close_price,
    sl: priceOrNull(record.sl),
    tp: priceOrNull(record.tp),
    profit: record.profit,
    swap: record.storage,
    openedAt: record.open_time,
    reason: record.reason,
    comment: record.comment,
  }
}

const STATE_OPEN = 0
const STATE_CLOSED = 3

/** An order without a close time is open. Remanded and restored orders (1, 2) are open until closed. */
function stateOf({ state, close_time }: TradeRecord): number {
  if (close_time === null) return STATE_OPEN
  return state < STATE_CLOSED ? STATE_CLOSED : state
}

/**
 * One order of this platform is a whole trade, and becomes the deal that closed it. `cmd` keeps the direction of the
 * trade, while a closing deal of MetaTrader 5 has the opposite one.
 */
export function toDeal(record: TradeRecord): Deal {
  const trade = isTrade(record)
  return {
    id: record.order,
    order: record.order,
    position: trade ? record.order : null,
    login: record.login,
    cmd: commands[record.cmd] ?? `OP_OTHER_${record.cmd}`,
    entry: trade ? 1 : 0,
    symbol: record.symbol,
    ...toVolume(record),
    price: record.close_price,
    openPrice: priceOrNull(record.open_price),
    sl: priceOrNull(record.sl),
    tp: priceOrNull(record.tp),
    profit: record.profit,
    swap: record.storage,
    commission: record.commission,
    fee: record.taxes,
    at: record.close_time ?? record.open_time,
    openedAt: record.open_time,
    state: stateOf(record),
    platformState: record.state,
    reason: record.reason,
    comment: record.comment,
    isTrade: trade,
  }
}
