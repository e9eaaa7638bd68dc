import { type Mt4Simulator, startMt4Simulator } from '../../simulators/mt4/simulator.ts'
import { makeGround } from './ground.ts'
import { type Floor, furnishFloor, startingBalance, usualTiming } from './trading-floor.ts'

const token = 'test-bridge-token-1'
export const mt4Login = '400123'

/** The platform is MetaTrader 4, behind a bridge. */
export type Mt4Floor = Floor & { simulator: Mt4Simulator }

export async function openMt4Floor(): Promise<Mt4Floor> {
  const made = await makeGround({})
  const simulator = await startMt4Simulator({
    port: 0,
    stateFile: ':memory:',
    token,
    timeZone: 'Europe/Athens',
    movingPrices: false,
  })
  simulator.control.seedAccounts([
    { login: mt4Login, group: 'real-usd', name: 'Mara Member', leverage: 100, balance: startingBalance },
  ])
  const settings = {
    baseUrl: simulator.url,
    allowPlainHttp: true,
    callsPerSecond: 10_000,
    deadlines: { connectMs: 5_000, readMs: 5_000, writeMs: 5_000 }, // See trading-floor.ts.
    backOff: { firstMs: 1, maxMs: 5 },
  }
  const floor = await furnishFloor(made, simulator, {
    login: mt4Login,
    type: 'mt4',
    name: 'MetaTrader 4',
    connection: { settings, secret: { token }, ...usualTiming },
  })
  return { ...floor, simulator }
}
