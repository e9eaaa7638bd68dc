import type { FaultRule } from './faults.ts'
import type { PlatformOutside } from './platform.ts'
import type { PriceFeed } from './price-feed.ts'
import type { AccountSeed, LedgerSeed, PositionSeed, TradeSeed } from './seeds.ts'
import type { ServerSwitch } from './server-switch.ts'

/** How a platform stores its seed data. */
export type Seeding = {
  account(seed: AccountSeed): boolean
  ledger(login: string, entry: LedgerSeed): void
  trade(login: string, trade: TradeSeed): void
  position(login: string, position: PositionSeed): void
}

type Means<Switches> = {
  serverSwitch: ServerSwitch
  feed: PriceFeed
  hangUp(): void
  usualSwitches: Switches
  seeding: Seeding
}

export type CommonControl<Switches, Note> = ReturnType<typeof commonControl<Switches & object, Note>>

/** Operations for tests and the demo that bypass the platform's API. */
export function commonControl<Switches extends object, Note>(
  { world, faults, waiting, calls }: PlatformOutside<Switches, Note>,
  { serverSwitch, feed, hangUp, usualSwitches, seeding }: Means<Switches>,
) {
  return {
    addFault: (rule: FaultRule): void => faults.add(rule),
    clearFaults: (): void => faults.clear(),
    /** Runs all delayed work now (delays, late answers, late executions); returns the count. */
    landPending: (): number => waiting.now(),
    setSwitches: (change: Partial<Switches>): void => {
      Object.assign(world.switches, change)
    },
    resetSwitches: (): void => {
      Object.assign(world.switches, usualSwitches)
    },
    calls: (): Note[] => [...calls],
    clearCalls: (): void => {
      calls.length = 0
    },
    pausePrices: (): void => feed.pause(),
    resumePrices: (): void => feed.resume(),
    tickPrices: (times: number): void => {
      for (let tick = 0; tick < times; tick++) world.market.tick()
    },
    setBid: (symbol: string, price: string): void => world.market.setBid(symbol, price),
    /** Leaves existing accounts unchanged; returns the created logins. */
    seedAccounts: (seeds: AccountSeed[]): string[] =>
      world.state.atOnce(() => seeds.filter((seed) => seeding.account(seed)).map((seed) => seed.login)),
    addLedger: (login: string, entry: LedgerSeed): void => seeding.ledger(login, entry),
    addTrade: (login: string, trade: TradeSeed): void => seeding.trade(login, trade),
    addPosition: (login: string, position: PositionSeed): void => seeding.position(login, position),
    dropConnections: (): void => hangUp(),
    /** Refuses connections until `up`. */
    down: (): Promise<void> => serverSwitch.down(),
    up: (): Promise<void> => serverSwitch.up(),
  }
}
