import Big from 'big.js'
import {
  type AccountMetrics,
  openTradeMetrics,
  type Trade,
  tradePrice,
  tradeProfit,
} from '../metatrader/account-metrics.ts'
import { groupOf } from './groups.ts'
import type { PositionRow, UserRow } from './state.ts'
import type { World } from './world.ts'

const LOT_EXT = 100_000_000

function tradeOf(position: PositionRow): Trade {
  const { symbol, price_open: openPrice, storage } = position
  const side = position.action === 0 ? 'buy' : 'sell'
  return { symbol, side, openPrice, storage, lots: new Big(position.volume_ext).div(LOT_EXT) }
}

/** The current value of a position, in the account's currency. */
export function floatingProfit(world: World, position: PositionRow, currency: string, digits: number): Big {
  return tradeProfit(world.market, tradeOf(position), { currency, digits })
}

export function currentPrice(world: World, position: PositionRow): Big {
  return tradePrice(world.market, tradeOf(position))
}

export function metricsOf(world: World, user: UserRow): AccountMetrics & { digits: number; positions: PositionRow[] } {
  const group = groupOf(world, user.group_name)
  const digits = Number(group.CurrencyDigits)
  const positions = world.state.all<PositionRow>('select * from positions where login = ?', user.login)
  const terms = { ...user, currency: group.Currency, digits }
  return { ...openTradeMetrics(world.market, terms, positions.map(tradeOf)), digits, positions }
}

export function tradeAccountRecord(world: World, user: UserRow): Record<string, string> {
  const metrics = metricsOf(world, user)
  const money = (value: Big | string) => new Big(value).toFixed(metrics.digits)
  const level = metrics.margin.eq(0) ? new Big(0) : metrics.equity.div(metrics.margin).times(100)
  return {
    Login: String(user.login),
    CurrencyDigits: String(metrics.digits),
    Balance: money(user.balance),
    Credit: money(user.credit),
    Margin: money(metrics.margin),
    MarginFree: money(metrics.marginFree),
    MarginLevel: level.toFixed(2),
    MarginLeverage: String(user.leverage),
    MarginInitial: '0.00',
    MarginMaintenance: '0.00',
    Profit: money(metrics.profit),
    Storage: money(metrics.storage),
    Floating: money(metrics.floating),
    Equity: money(metrics.equity),
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
