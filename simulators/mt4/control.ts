import type { FaultRule } from '../metatrader/faults.ts'
import type { Power } from '../metatrader/power.ts'
import type { PriceFeed } from '../metatrader/price-feed.ts'
import type { AccountSeed, LedgerSeed, PositionSeed, TradeSeed } from '../metatrader/seeds.ts'
import { figuresOf, findUser, isActive } from './accounts.ts'
import type { CallNote, Outside } from './door.ts'
import { type GroupSeed, saveGroup } from './groups.ts'
import { seedAccount, seedLedger, seedPosition, seedTrade } from './seeding.ts'
import type { TradeRow, UserRow } from './state.ts'
import { type Switches, usualSwitches } from './world.ts'

export type LedgerRow = { order: string; login: string; cmd: number; amount: string; comment: string }
export type AccountView = {
  login: string
  group: string
  leverage: number
  balance: string
  credit: string
  equity: string
  floating: string
  positions: number
  active: boolean
}

/** Everything that a test or a demo may do to the platform and its bridge behind their backs. */
export type Mt4Control = ReturnType<typeof makeControl>

export function makeControl(outside: Outside, power: Power, feed: PriceFeed) {
  const { world, faults, waiting, calls } = outside
  const { state } = world
  return {
    /** `path` names the call: `POST /v1/accounts/{login}/balance-operations`. */
    addFault: (rule: FaultRule): void => faults.add(rule),
    clearFaults: (): void => faults.clear(),
    landPending: (): number => waiting.now(),
    setSwitches: (change: Partial<Switches>): void => {
      Object.assign(world.switches, change)
    },
    resetSwitches: (): void => {
      Object.assign(world.switches, usualSwitches)
    },
    /** Balance and credit rows of a login, and its closed trades, oldest first. */
    ledger: (login: string): LedgerRow[] =>
      state
        .all<TradeRow>('select * from trades where login = ? and close_time > 0 order by ticket', Number(login))
        .map(ledgerRow),
    rowsWithComment: (prefix: string): LedgerRow[] =>
      state
        .all<TradeRow>('select * from trades where substr(comment, 1, ?) = ? order by ticket', prefix.length, prefix)
        .map(ledgerRow),
    account: (login: string): AccountView | null => viewAccount(outside, login),
    accountsOf: (group: string): string[] =>
      state
        .all<UserRow>('select * from users where group_name = ? order by login', group)
        .map((user) => String(user.login)),
    /** As an administrator removes an account from the platform. */
    removeAccount: (login: string): void => {
      state.run('delete from trades where login = ?', Number(login))
      state.run('delete from users where login = ?', Number(login))
    },
    calls: (): CallNote[] => [...calls],
    clearCalls: (): void => {
      calls.length = 0
    },
    pausePrices: (): void => feed.pause(),
    resumePrices: (): void => feed.resume(),
    tickPrices: (times: number): void => {
      for (let tick = 0; tick < times; tick++) world.market.tick()
    },
    setBid: (symbol: string, price: string): void => world.market.setBid(symbol, price),
    addGroup: (group: GroupSeed): void => saveGroup(world, group),
    /** Accounts that exist already are left alone; answers the logins that were made. */
    seedAccounts: (seeds: AccountSeed[]): string[] =>
      state.atOnce(() => seeds.filter((seed) => seedAccount(world, seed)).map((seed) => seed.login)),
    addLedger: (login: string, entry: LedgerSeed): void => seedLedger(world, login, entry),
    addTrade: (login: string, trade: TradeSeed): void => seedTrade(world, login, trade),
    addPosition: (login: string, position: PositionSeed): void => seedPosition(world, login, position),
    /** Hangs up on everybody, as a restarting bridge does. */
    dropConnections: (): void => {
      for (const socket of outside.connections.keys()) socket.destroy()
    },
    down: (): Promise<void> => power.down(),
    up: (): Promise<void> => power.up(),
  }
}

function ledgerRow({ ticket, login, cmd, profit, comment }: TradeRow): LedgerRow {
  return { order: String(ticket), login: String(login), cmd, amount: profit, comment }
}

function viewAccount({ world }: Outside, login: string): AccountView | null {
  const user = findUser(world, login)
  if (user === undefined) return null
  const { equity, floating, digits, trades } = figuresOf(world, user)
  return {
    login,
    group: user.group_name,
    leverage: user.leverage,
    balance: user.balance,
    credit: user.credit,
    equity: equity.toFixed(digits),
    floating: floating.toFixed(digits),
    positions: trades.length,
    active: isActive(world, user),
  }
}
