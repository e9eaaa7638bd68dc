import { openControlServer } from '../metatrader/control-server.ts'
import { openState } from '../metatrader/database.ts'
import { closeServer } from '../metatrader/doors.ts'
import { openFaults, openWaiting } from '../metatrader/faults.ts'
import { openMarket } from '../metatrader/market.ts'
import { type Clock, platformTime } from '../metatrader/platform-time.ts'
import { powerOf } from '../metatrader/power.ts'
import { priceFeed } from '../metatrader/price-feed.ts'
import { forgetOldKeys } from './bridge.ts'
import { type Mt4Control, makeControl } from './control.ts'
import { type Exchange, type Outside, openDoor } from './door.ts'
import { saveGroup, usualGroups } from './groups.ts'
import { tables } from './state.ts'
import { usualSwitches, type World } from './world.ts'

export type Mt4SimulatorOptions = {
  /** 0 takes any free port. */
  port: number
  controlPort?: number
  /** A file, or `:memory:`. */
  stateFile: string
  token: string
  /** The platform's own zone, an IANA name. The bridge converts. */
  timeZone: string
  clock?: Clock
  seed?: number
  loginRange?: { first: number; last: number }
  /** False leaves prices still until `tickPrices` or `resumePrices`. */
  movingPrices?: boolean
  watch?: (exchange: Exchange) => void
}

export type Mt4Simulator = {
  port: number
  url: string
  controlUrl: string
  control: Mt4Control
  stop(): Promise<void>
}

/** A MetaTrader 4 server with its bridge, seen from the bridge's door. */
export async function startMt4Simulator(options: Mt4SimulatorOptions): Promise<Mt4Simulator> {
  const outside = openOutside(options)
  const { world, waiting } = outside
  const first = await openDoor(outside, options.port)
  const hangUp = () => control.dropConnections()
  const power = powerOf(first, (port) => openDoor(outside, port), hangUp)
  const feed = priceFeed(world.market)
  if (options.movingPrices ?? true) feed.resume()
  const control = makeControl(outside, power, feed)
  const controlDoor = await openControlServer(control, options.controlPort ?? 0)
  return {
    port: first.port,
    url: `http://127.0.0.1:${first.port}`,
    controlUrl: `http://127.0.0.1:${controlDoor.port}`,
    control,
    stop: async () => {
      feed.pause()
      waiting.forget()
      await power.down()
      await closeServer(controlDoor.server, () => controlDoor.server.closeAllConnections())
      world.state.close()
    },
  }
}

function openOutside(options: Mt4SimulatorOptions): Outside {
  const state = openState(options.stateFile, tables)
  const clock = options.clock ?? { now: () => Date.now() }
  const switches = { ...usualSwitches }
  const world: World = {
    state,
    clock,
    switches,
    market: openMarket(state, options.seed ?? 1),
    time: platformTime(options.timeZone, clock, () => switches.clockShiftSeconds),
    loginRange: options.loginRange ?? { first: 400_001, last: 499_999 },
    active: new Set(),
  }
  for (const group of usualGroups) saveGroup(world, group)
  forgetOldKeys(world)
  const { token, watch } = options
  return { world, token, watch, faults: openFaults(), waiting: openWaiting(), calls: [], connections: new Map() }
}
