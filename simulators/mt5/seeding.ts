import Big from 'big.js'
import { profitAt } from '../metatrader/account-metrics.ts'
import type { Seeding } from '../metatrader/control.ts'
import {
  type AccountSeed,
  beforeEverything,
  type LedgerSeed,
  type PositionSeed,
  type TradeSeed,
} from '../metatrader/seeds.ts'
import { groupOf } from './groups.ts'
import { bookBalance, insertDeal } from './trading.ts'
import { findUser, insertUser, userOf } from './users.ts'
import type { World } from './world.ts'

const LOT_EXT = 100_000_000
const ORDER_FILLED = 4
const REASON_DEALER = 2
const FIRST_TICKET = 50_001

/** Leaves an existing account unchanged, so seeding is idempotent. */
function seedAccount(world: World, seed: AccountSeed): boolean {
  if (findUser(world, seed.login) !== undefined) return false
  const registeredAtMs = seed.registeredAtMs ?? beforeEverything(seed, world.clock.now())
  const [firstName = '', ...lastNames] = seed.name.split(' ')
  insertUser(world, {
    login: Number(seed.login),
    group: seed.group,
    leverage: seed.leverage,
    rights: seed.rights ?? '355',
    registeredMsc: world.time.ofUtc(registeredAtMs),
    mainPassword: seed.mainPassword,
    investorPassword: seed.investorPassword,
    texts: {
      Name: seed.name,
      FirstName: firstName,
      LastName: lastNames.join(' '),
      Email: seed.email ?? '',
      Country: seed.country ?? '',
      Comment: seed.comment ?? '',
    },
  })
  if (seed.balance !== undefined) {
    seedLedger(world, seed.login, { amount: seed.balance, atMs: registeredAtMs, comment: 'Initial balance' })
  }
  for (const entry of seed.ledger ?? []) seedLedger(world, seed.login, entry)
  for (const trade of seed.trades ?? []) seedTrade(world, seed.login, trade)
  for (const position of seed.positions ?? []) seedPosition(world, seed.login, position)
  return true
}

function seedLedger(world: World, login: string, entry: LedgerSeed): void {
  bookBalance(world, userOf(world, login), {
    login: Number(login),
    action: entry.action ?? 2,
    reason: REASON_DEALER,
    time_msc: world.time.ofUtc(entry.atMs),
    profit: entry.amount,
    comment: entry.comment ?? '',
  })
}

/** A closed trade has an order and a deal for the entry, and an order and a deal with the result for the exit. */
function seedTrade(world: World, login: string, trade: TradeSeed): void {
  const user = userOf(world, login)
  const group = groupOf(world, user.group_name)
  const digits = Number(group.CurrencyDigits)
  const action = trade.side === 'buy' ? 0 : 1
  const volume = Number(new Big(trade.lots).times(LOT_EXT))
  const profit = profitAt(world.market, { ...trade, lots: new Big(trade.lots), currency: group.Currency, digits })
  const shared = { login: user.login, symbol: trade.symbol, comment: trade.comment ?? '' }
  const openedMsc = world.time.ofUtc(trade.openedAtMs)
  const closedMsc = world.time.ofUtc(trade.closedAtMs)
  world.state.atOnce(() => {
    const position = nextPosition(world)
    const order = (type: number, atMsc: number, price: string) =>
      insertOrder(world, { ...shared, type, atMsc, price, volume, position, reason: trade.reason ?? 0 })
    const deal = { ...shared, volume_ext: volume, position_id: position, reason: trade.reason ?? 0 }
    const levels = { price_sl: trade.sl ?? '0', price_tp: trade.tp ?? '0' }
    const opening = order(action, openedMsc, trade.openPrice)
    insertDeal(world, { ...deal, ...levels, order_id: opening, action, time_msc: openedMsc, price: trade.openPrice })
    const closing = order(1 - action, closedMsc, trade.closePrice)
    const swap = trade.swap ?? '0'
    const commission = trade.commission ?? '0'
    insertDeal(world, {
      ...deal,
      ...levels,
      order_id: closing,
      action: 1 - action,
      entry: 1,
      time_msc: closedMsc,
      price: trade.closePrice,
      price_position: trade.openPrice,
      volume_closed_ext: volume,
      profit: profit.toFixed(digits),
      storage: swap,
      commission,
    })
    const balance = new Big(userOf(world, login).balance).plus(profit).plus(swap).plus(commission)
    world.state.run('update users set balance = ? where login = ?', balance.toFixed(digits), user.login)
  })
}

function seedPosition(world: World, login: string, seed: PositionSeed): void {
  const user = userOf(world, login)
  const action = seed.side === 'buy' ? 0 : 1
  const volume = Number(new Big(seed.lots).times(LOT_EXT))
  const now = action === 0 ? world.market.ask(seed.symbol) : world.market.bid(seed.symbol)
  const price = seed.openPrice ?? now.toFixed()
  const atMsc = world.time.ofUtc(seed.openedAtMs)
  const shared = { login: user.login, symbol: seed.symbol, comment: seed.comment ?? '' }
  const levels = { price_sl: seed.sl ?? '0', price_tp: seed.tp ?? '0' }
  const reason = seed.reason ?? 16
  world.state.atOnce(() => {
    const position = nextPosition(world)
    const order = insertOrder(world, { ...shared, type: action, atMsc, price, volume, position, reason })
    const opening = { order_id: order, action, reason, time_msc: atMsc, price, volume_ext: volume }
    insertDeal(world, { ...shared, ...levels, ...opening, position_id: position })
    world.state.insert('positions', {
      position,
      ...shared,
      ...levels,
      action,
      created_msc: atMsc,
      price_open: price,
      volume_ext: volume,
      storage: seed.swap ?? '0',
      reason,
    })
  })
}

type NewOrder = {
  login: number
  symbol: string
  comment: string
  type: number
  atMsc: number
  price: string
  volume: number
  position: number
  reason: number
}

function insertOrder(world: World, order: NewOrder): number {
  return world.state.insert('orders', {
    login: order.login,
    symbol: order.symbol,
    type: order.type,
    state: ORDER_FILLED,
    reason: order.reason,
    setup_msc: order.atMsc,
    done_msc: order.atMsc,
    volume_ext: order.volume,
    price: order.price,
    position_id: order.position,
    comment: order.comment,
  })
}

/** Closed positions are deleted, so the highest used number comes from the deals. */
function nextPosition(world: World): number {
  const row = world.state.one<{ highest: number | null }>('select max(position_id) as highest from deals')
  return Math.max(FIRST_TICKET, (row?.highest ?? 0) + 1)
}

export function seedingOf(world: World): Seeding {
  return {
    account: (seed) => seedAccount(world, seed),
    ledger: (login, entry) => seedLedger(world, login, entry),
    trade: (login, trade) => seedTrade(world, login, trade),
    position: (login, position) => seedPosition(world, login, position),
  }
}
