/**
 * Runs the simulators as a separate process. It prints one line of JSON when it is ready, and ends when stdin closes, which
 * also happens when its parent is killed.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startMt4Simulator } from './mt4/simulator.ts'
import { startMt5Simulator } from './mt5/simulator.ts'
import { startPaymentSimulators } from './payments/start-simulators.ts'

const environment = process.env
const folder = environment.ATRIUM_SIMULATOR_STATE ?? join('data', 'simulators')
mkdirSync(folder, { recursive: true })

const mt5 = await startMt5Simulator({
  port: Number(environment.ATRIUM_SIMULATOR_MT5_PORT ?? 0),
  controlPort: Number(environment.ATRIUM_SIMULATOR_MT5_CONTROL_PORT ?? 0),
  stateFile: join(folder, 'mt5.sqlite'),
  timeZone: environment.ATRIUM_SIMULATOR_MT5_TIME_ZONE ?? 'Europe/Athens',
  seed: Date.now(),
  managers: [
    {
      login: environment.ATRIUM_SIMULATOR_MT5_MANAGER_LOGIN ?? '1002',
      password: environment.ATRIUM_SIMULATOR_MT5_MANAGER_PASSWORD ?? 'Harbour-Manager-1',
    },
  ],
})

const mt4 = await startMt4Simulator({
  port: Number(environment.ATRIUM_SIMULATOR_MT4_PORT ?? 0),
  controlPort: Number(environment.ATRIUM_SIMULATOR_MT4_CONTROL_PORT ?? 0),
  stateFile: join(folder, 'mt4.sqlite'),
  timeZone: environment.ATRIUM_SIMULATOR_MT4_TIME_ZONE ?? 'Europe/Athens',
  seed: Date.now(),
  token: environment.ATRIUM_SIMULATOR_MT4_TOKEN ?? 'harbour-bridge-token-1',
})

const webhookUrl = environment.ATRIUM_SIMULATOR_WEBHOOK_URL
const payments = await startPaymentSimulators({ coinsAfterMs: 15_000, ...(webhookUrl !== undefined && { webhookUrl }) })

let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  void Promise.all([mt5.stop(), mt4.stop(), payments.stop()]).then(() => process.exit(0))
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.stdin.on('end', stop)
process.stdin.on('close', stop)
process.stdin.resume()

const portsOf = ({ port, url, controlUrl }: typeof mt5 | typeof mt4) => ({ port, url, controlUrl })
console.log(JSON.stringify({ ready: true, mt5: portsOf(mt5), mt4: portsOf(mt4), payments: payments.settings }))
