import { openControlServer } from '../metatrader/control-server.ts'
import { openState } from '../metatrader/database.ts'
import { closeServer } from '../metatrader/doors.ts'
import { openFaults, openWaiting } from '../metatrader/faults.ts'
import { openMarket } from '../metatrader/market.ts'
import { type Clock, platformTime } from '../metatrader/platform-time.ts'
import { powerOf } from '../metatrader/power.ts'
import { priceFeed } from '../metatrader/price-feed.ts'
import { type Mt5Control, makeControl } from './control.ts'
import { type Outside, openDoor } from './doors.ts'
import { saveGroup, usualGroups } from './groups.ts'
import { type Manager, openSessions } from './sessions.ts'
import { tables } from './state.ts'
import { usualSwitches, type World } from './world.ts'

export type Mt5SimulatorOptions = {
  /** 0 takes any free port. */
  port: number
  controlPort?: number
  /** A file, or `:memory:`. */
  stateFile: string
  managers: Manager[]
  /** The platform's own zone, an IANA name. */
  timeZone: string
  clock?: Clock
  seed?: number
  loginRange?: { first: number; last: number }
  /** False leaves prices still until `tickPrices` or `resumePrices`. */
  movingPrices?: boolean
}

export type Mt5Simulator = {
  port: number
  url: string
  controlUrl: string
  control: Mt5Control
  stop(): Promise<void>
}

export async function startMt5Simulator(options: Mt5SimulatorOptions): Promise<Mt5Simulator> {
  const outside = openOutside(options)
  const { world, sessions, waiting } = outside
  const first = await openDoor(outside, options.port)
  const power = powerOf(
    first,
    (port) => openDoor(outside, port),
    () => sessions.endAll(),
  )
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

function openOutside(options: Mt5SimulatorOptions): Outside {
  const state = openState(options.stateFile, tables)
  const clock = options.clock ?? { now: () => Date.now() }
  const switches = { ...usualSwitches }
  const world: World = {
    state,
    clock,
    switches,
    market: openMarket(state, options.seed ?? 1),
    time: platformTime(options.timeZone, clock, () => switches.clockShiftSeconds),
    loginRange: options.loginRange ?? { first: 700_001, last: 799_999 },
    active: new Set(),
  }
  for (const group of usualGroups) saveGroup(world, group)
  const sessions = openSessions(world, options.managers)
  return { world, sessions, faults: openFaults(), waiting: openWaiting(), calls: [] }
}
