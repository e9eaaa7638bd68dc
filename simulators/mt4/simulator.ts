import { openPlatform, type PlatformOptions } from '../metatrader/platform.ts'
import { type Simulator, startSimulator } from '../metatrader/start-simulator.ts'
import { forgetOldKeys } from './bridge.ts'
import { type Mt4Control, ownControl } from './control.ts'
import { saveGroup, usualGroups } from './groups.ts'
import { seedingOf } from './seeding.ts'
import { type CallNote, type Exchange, type Outside, openServer } from './server.ts'
import { tables } from './state.ts'
import { type Switches, usualSwitches } from './world.ts'

/** The time zone of the platform; the bridge converts to UTC. */
export type Mt4SimulatorOptions = PlatformOptions & { token: string; watch?: (exchange: Exchange) => void }
export type Mt4Simulator = Simulator<Mt4Control>

const loginRange = { first: 400_001, last: 499_999 }

/** A MetaTrader 4 server with its bridge, reachable only through the bridge. */
export function startMt4Simulator(options: Mt4SimulatorOptions): Promise<Mt4Simulator> {
  const platform = openPlatform<Switches, CallNote>(options, { tables, switches: usualSwitches, loginRange })
  const { world } = platform
  for (const group of usualGroups) saveGroup(world, group)
  forgetOldKeys(world)
  const { token, watch } = options
  const outside: Outside = { ...platform, token, watch, connections: new Map() }
  return startSimulator(platform, options, {
    openServer: (port) => openServer(outside, port),
    hangUp: () => {
      for (const socket of outside.connections.keys()) socket.destroy()
    },
    usualSwitches,
    seeding: seedingOf(world),
    ownControl: ownControl(outside),
  })
}
