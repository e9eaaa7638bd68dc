import { openState, type State } from './database.ts'
import { type Faults, openFaults, openWaiting, type Waiting } from './faults.ts'
import { type Market, openMarket } from './market.ts'
import { type Clock, type PlatformTime, platformTime } from './platform-time.ts'

/** Start options common to both platforms. */
export type PlatformOptions = {
  /** 0 takes any free port. */
  port: number
  controlPort?: number
  /** A file, or `:memory:`. */
  stateFile: string
  /** The platform's time zone, an IANA name. */
  timeZone: string
  clock?: Clock
  seed?: number
  loginRange?: { first: number; last: number }
  /** False freezes prices until `tickPrices` or `resumePrices`. */
  movingPrices?: boolean
}

/** A platform's state, clock and prices, independent of its protocol. */
export type PlatformWorld<Switches> = {
  state: State
  market: Market
  clock: Clock
  time: PlatformTime
  switches: Switches
  loginRange: { first: number; last: number }
  /** Logins with trade activity since this start; the others have no live trade state. */
  active: Set<number>
}

/** The platform with its planned faults and its log of calls. */
export type PlatformOutside<Switches, Note> = {
  world: PlatformWorld<Switches>
  faults: Faults
  waiting: Waiting
  calls: Note[]
}

type Kind<Switches> = { tables: string; switches: Switches; loginRange: { first: number; last: number } }

export function openPlatform<Switches extends { clockShiftSeconds: number }, Note>(
  options: PlatformOptions,
  kind: Kind<Switches>,
): PlatformOutside<Switches, Note> {
  const state = openState(options.stateFile, kind.tables)
  const clock = options.clock ?? { now: () => Date.now() }
  const switches = { ...kind.switches }
  const world = {
    state,
    clock,
    switches,
    market: openMarket(state, options.seed ?? 1),
    time: platformTime(options.timeZone, clock, () => switches.clockShiftSeconds),
    loginRange: options.loginRange ?? kind.loginRange,
    active: new Set<number>(),
  }
  return { world, faults: openFaults(), waiting: openWaiting(), calls: [] }
}
