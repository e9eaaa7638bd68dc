import Big from 'big.js'
import { groupOf } from './groups.ts'
import { instrumentOf } from './market.ts'
import type { PositionRow, UserRow } from './state.ts'
import type { World } from './world.ts'

const LOT_EXT = 100_000_000

/** What a position is worth now, in the account's currency. */
export function floatingProfit(world: World, position: PositionRow, currency: string, digits: number): Big {
  const { contract, quote } = instrumentOf(position.symbol)
  const now = currentPrice(world, position)
  const gained = position.action === 0 ? now.minus(position.price_open) : new Big(position.price_open).minus(now)
  const inQuote = gained.times(contract).times(position.volume_ext).div(LOT_EXT)
  return world.market.convert(inQuote, quote, currency).round(digits)
}

export function currentPrice(world: World, position: PositionRow): Big {
  return position.action === 0 ? world.market.bid(position.symbol) : world.market.ask(position.symbol)
}

export function figuresOf(world: World, user: UserRow) {
  const group = groupOf(world, user.group_name)
  const digits = Number(group.CurrencyDigits)
  const positions = world.state.all<PositionRow>('select * from positions where login = ?', user.login)
  let profit = new Big(0)
  let storage = new Big(0)
  let margin = new Big(0)
  for (const position of positions) {
    const { contract, quote } = instrumentOf(position.symbol)
    profit = profit.plus(floatingProfit(world, position, group.Currency, digits))
    storage = storage.plus(position.storage)
    const notional = new Big(position.price_open).times(contract).times(position.volume_ext).div(LOT_EXT)
    margin = margin.plus(world.market.convert(notional, quote, group.Currency).div(user.leverage).round(digits))
  }
  const floating = profit.plus(storage)
  const equity = new Big(user.balance).plus(user.credit).plus(floating)
  return { digits, profit, storage, margin, floating, equity, marginFree: equity.minus(margin), positions }
}

export function tradeAccountRecord(world: World, user: UserRow): Record<string, string> {
  const figures = figuresOf(world, user)
  const money = (value: Big | string) => new Big(value).toFixed(figures.digits)
  const level = figures.margin.eq(0) ? new Big(0) : figures.equity.div(figures.margin).times(100)
  return {
    Login: String(user.login),
    CurrencyDigits: String(figures.digits),
    Balance: money(user.balance),
    Credit: money(user.credit),
    Margin: money(figures.margin),
    MarginFree: money(figures.marginFree),
    MarginLevel: level.toFixed(2),
    MarginLeverage: String(user.leverage),
    MarginInitial: '0.00',
    MarginMaintenance: '0.00',
    Profit: money(figures.profit),
    Storage: money(figures.storage),
    Floating: money(figures.floating),
    Equity: money(figures.equity),
    SOActivation: '0',
    SOTime: '0',
    SOLevel: '0.00',
    SOEquity: '0.00',
    SOMargin: '0.00',
    BlockedCommission: '0.00',
    BlockedProfit: '0.00',
    Assets: '0.00',
    Liabilities: '0.00',
  }
}
