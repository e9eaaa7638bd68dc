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
import { findUser, insertUser, userOf } from './accounts.ts'
import { groupOf } from './groups.ts'
import { bookBalance, CMD_BALANCE, CMD_CREDIT, insertTrade } from './trades.ts'
import { platformSeconds, type World } from './world.ts'

const hundredths = (lots: string) => Number(new Big(lots).times(100))

/** Leaves an existing account unchanged, so seeding is idempotent. */
function seedAccount(world: World, seed: AccountSeed): boolean {
  if (findUser(world, seed.login) !== undefined) return false
  const registeredAtMs = seed.registeredAtMs ?? beforeEverything(seed, world.clock.now())
  const { login, name, email = '', country = '', comment = '' } = seed
  insertUser(world, {
    login: Number(login),
    group: seed.group,
    leverage: seed.leverage,
    registered: platformSeconds(world, registeredAtMs),
    mainPassword: seed.mainPassword,
    investorPassword: seed.investorPassword,
    texts: { name, email, country, comment },
  })
  if (seed.balance !== undefined) {
    seedLedger(world, login, { amount: seed.balance, atMs: registeredAtMs, comment: 'Initial balance' })
  }
  for (const entry of seed.ledger ?? []) seedLedger(world, login, entry)
  for (const trade of seed.trades ?? []) seedTrade(world, login, trade)
  for (const position of seed.positions ?? []) seedPosition(world, login, position)
  return true
}

/** This platform has two kinds of ledger rows: credit, and everything else. */
function seedLedger(world: World, login: string, entry: LedgerSeed): void {
  bookBalance(world, userOf(world, login), {
    cmd: entry.action === 3 || entry.action === 6 ? CMD_CREDIT : CMD_BALANCE,
    amount: entry.amount,
    at: platformSeconds(world, entry.atMs),
    comment: entry.comment ?? '',
  })
}

function seedTrade(world: World, login: string, trade: TradeSeed): void {
  const user = userOf(world, login)
  const { currency, currency_digits: digits } = groupOf(world, user.group_name)
  const profit = profitAt(world.market, { ...trade, lots: new Big(trade.lots), currency, digits }).toFixed(digits)
  const { symbol, swap = '0', commission = '0', comment = '', reason = 0, sl = '0', tp = '0' } = trade
  world.state.atOnce(() => {
    insertTrade(world, {
      login: user.login,
      cmd: trade.side === 'buy' ? 0 : 1,
      symbol,
      volume: hundredths(trade.lots),
      reason,
      open_time: platformSeconds(world, trade.openedAtMs),
      open_price: trade.openPrice,
      close_time: platformSeconds(world, trade.closedAtMs),
      close_price: trade.closePrice,
      sl,
      tp,
      storage: swap,
      commission,
      profit,
      comment,
    })
    const balance = new Big(userOf(world, login).balance).plus(profit).plus(swap).plus(commission)
    world.state.run('update users set balance = ? where login = ?', balance.toFixed(digits), user.login)
  })
}

function seedPosition(world: World, login: string, seed: PositionSeed): void {
  const user = userOf(world, login)
  const isBuy = seed.side === 'buy'
  const now = isBuy ? world.market.ask(seed.symbol) : world.market.bid(seed.symbol)
  const { symbol, swap = '0', comment = '', reason = 5, sl = '0', tp = '0' } = seed
  insertTrade(world, {
    login: user.login,
    cmd: isBuy ? 0 : 1,
    symbol,
    volume: hundredths(seed.lots),
    reason,
    open_time: platformSeconds(world, seed.openedAtMs),
    open_price: seed.openPrice ?? now.toFixed(),
    sl,
    tp,
    storage: swap,
    comment,
  })
}

export function seedingOf(world: World): Seeding {
  return {
    account: (seed) => seedAccount(world, seed),
    ledger: (login, entry) => seedLedger(world, login, entry),
    trade: (login, trade) => seedTrade(world, login, trade),
    position: (login, position) => seedPosition(world, login, position),
  }
}
