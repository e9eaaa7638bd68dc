import { timeText } from '../metatrader/platform-time.ts'
import { groupCommands } from './groups.ts'
import { tradingCommands } from './trading.ts'
import { userCommands } from './users.ts'
import type { Body, Parameters, Reply } from './wire.ts'
import { Refusal } from './wire.ts'
import type { World } from './world.ts'

type Command = (world: World, parameters: Parameters, body: Body, manager: number) => Reply

const serverCommands: Record<string, Command> = {
  '/api/test/access': () => ({ code: 0 }),
  '/api/time/server': (world) => ({ code: 0, answer: { Time: timeText(world.time.nowMsc()) } }),
  '/api/time/get': (world) => {
    const { standardMinutes, daylightUsed, daylightNow } = world.time.describe()
    const answer = {
      TimeZone: String(standardMinutes),
      Daylight: daylightUsed ? '1' : '0',
      DaylightState: daylightNow ? '1' : '0',
      TimeServer: '',
      Days: [],
    }
    return { code: 0, answer }
  },
  '/api/common/get': () => ({ code: 0, answer: { Name: 'HarbourMarkets-Server', NameFull: 'Harbour Markets' } }),
}

const commands = new Map<string, Command>(
  Object.entries({ ...serverCommands, ...groupCommands, ...userCommands, ...tradingCommands }),
)

export function perform(world: World, path: string, call: { parameters: Parameters; body: Body; manager: number }) {
  const command = commands.get(path)
  if (command === undefined) return { code: 12000 }
  try {
    return shapeEmptyList(world, command(world, call.parameters, call.body, call.manager))
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code }
    throw error
  }
}

/** Builds differ in their answer for "no rows": an empty list, code 1, or code 13. */
function shapeEmptyList(world: World, reply: Reply): Reply {
  const { emptyList } = world.switches
  if (emptyList === '[]' || !Array.isArray(reply.answer) || reply.answer.length > 0) return reply
  return { code: Number(emptyList) }
}
