import type { FaultRule } from '../metatrader/faults.ts'
import type { Power } from '../metatrader/power.ts'
import type { PriceFeed } from '../metatrader/price-feed.ts'
import type { AccountSeed, LedgerSeed, PositionSeed, TradeSeed } from '../metatrader/seeds.ts'
import type { CallNote, Outside } from './doors.ts'
import { figuresOf } from './figures.ts'
import { type GroupSeed, saveGroup } from './groups.ts'
import { seedAccount, seedLedger, seedPosition, seedTrade } from './seeding.ts'
import type { DealRow } from './state.ts'
import { dealRecord } from './trading.ts'
import { findUser, isActive, usersOfGroups } from './users.ts'
import { type Switches, usualSwitches } from './world.ts'

export type LedgerDeal = {
  deal: string
  login: string
  action: number
  amount: string
  comment: string
  /** The platform's own clock. */
  timeMsc: number
}
export type AccountView = {
  login: string
  group: string
  rights: string
  leverage: number
  balance: string
  credit: string
  equity: string
  floating: string
  positions: number
  active: boolean
}

/** Everything that a test or a demo may do to the platform behind its back. */
export type Mt5Control = ReturnType<typeof makeControl>

export function makeControl(outside: Outside, power: Power, feed: PriceFeed) {
  const { world, sessions, faults, waiting, calls } = outside
  return {
    addFault: (rule: FaultRule): void => faults.add(rule),
    clearFaults: (): void => faults.clear(),
    /** Lets everything that a delay, late answer or late landing still holds back happen now; answers how many. */
    landPending: (): number => waiting.now(),
    setSwitches: (change: Partial<Switches>): void => {
      Object.assign(world.switches, change)
    },
    resetSwitches: (): void => {
      Object.assign(world.switches, usualSwitches)
    },
    /** Every deal of a login, oldest first. */
    ledger: (login: string): LedgerDeal[] =>
      ledgerDeals(world.state.all<DealRow>('select * from deals where login = ? order by deal', Number(login))),
    dealsWithComment: (prefix: string): LedgerDeal[] =>
      ledgerDeals(
        world.state.all<DealRow>(
          'select * from deals where substr(comment, 1, ?) = ? order by deal',
          prefix.length,
          prefix,
        ),
      ),
    account: (login: string): AccountView | null => viewAccount(outside, login),
    /** The logins of a group, or of masks such as `real\\*`. */
    accountsOf: (groups: string): string[] => usersOfGroups(world, groups).map((user) => String(user.login)),
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
      world.state.atOnce(() => seeds.filter((seed) => seedAccount(world, seed)).map((seed) => seed.login)),
    addLedger: (login: string, entry: LedgerSeed): void => seedLedger(world, login, entry),
    /** As an administrator of the platform rewrites a deal's comment. */
    recomment: (deal: string, comment: string): void => {
      world.state.run('update deals set comment = ? where deal = ?', comment, Number(deal))
    },
    addTrade: (login: string, trade: TradeSeed): void => seedTrade(world, login, trade),
    addPosition: (login: string, position: PositionSeed): void => seedPosition(world, login, position),
    /** Hangs up on everybody, as a restarting access server does. */
    dropConnections: (): void => sessions.endAll(),
    /** Refuses connections until `up`. */
    down: (): Promise<void> => power.down(),
    up: (): Promise<void> => power.up(),
  }

  function ledgerDeals(rows: DealRow[]): LedgerDeal[] {
    return rows.map((row) => {
      const record = dealRecord(world, row)
      const { deal, login, action, comment, time_msc: timeMsc } = row
      return {
        deal: String(deal),
        login: String(login),
        action,
        amount: record.Profit ?? '',
        comment,
        timeMsc,
      }
    })
  }
}

function viewAccount({ world }: Outside, login: string): AccountView | null {
  const user = findUser(world, login)
  if (user === undefined) return null
  const figures = figuresOf(world, user)
  return {
    login,
    group: user.group_name,
    rights: user.rights,
    leverage: user.leverage,
    balance: user.balance,
    credit: user.credit,
    equity: figures.equity.toFixed(figures.digits),
    floating: figures.floating.toFixed(figures.digits),
    positions: figures.positions.length,
    active: isActive(world, user),
  }
}
