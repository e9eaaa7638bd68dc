import { openPlatform, type PlatformOptions } from '../metatrader/platform.ts'
import { type Simulator, startSimulator } from '../metatrader/start-simulator.ts'
import { type Mt5Control, ownControl } from './control.ts'
import { saveGroup, usualGroups } from './groups.ts'
import { seedingOf } from './seeding.ts'
import { type CallNote, openServer } from './server.ts'
import { type Manager, openSessions } from './sessions.ts'
import { tables } from './state.ts'
import { type Switches, usualSwitches } from './world.ts'

export type Mt5SimulatorOptions = PlatformOptions & { managers: Manager[] }
export type Mt5Simulator = Simulator<Mt5Control>

const loginRange = { first: 700_001, last: 799_999 }

export function startMt5Simulator(options: Mt5SimulatorOptions): Promise<Mt5Simulator> {
  const platform = openPlatform<Switches, CallNote>(options, { tables, switches: usualSwitches, loginRange })
  const { world } = platform
  for (const group of usualGroups) saveGroup(world, group)
  const sessions = openSessions(world, options.managers)
  const outside = { ...platform, sessions }
  return startSimulator(platform, options, {
    openServer: (port) => openServer(outside, port),
    hangUp: () => sessions.endAll(),
    usualSwitches,
    seeding: seedingOf(world),
    ownControl: ownControl(outside),
  })
}
