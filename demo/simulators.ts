import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { connectMt4Control, type Mt4ControlClient } from '../simulators/mt4/control-client.ts'
import { connectMt5Control, type Mt5ControlClient } from '../simulators/mt5/control-client.ts'
import type { PaymentSettings } from '../simulators/payments/start-simulators.ts'

export const demoManager = { login: '1002', password: 'Harbour-Manager-1' }
export const demoBridgeToken = 'harbour-bridge-token-1'
export const demoTimeZone = 'Europe/Athens'

export type Simulators = {
  mt5Url: string
  mt5: Mt5ControlClient
  mt4Url: string
  mt4: Mt4ControlClient
  /** The addresses and credentials of the payment providers. */
  payments: PaymentSettings
  stop(): Promise<void>
}

/** Starts platforms and providers as a separate process, so that they run independently of the server as real ones do. */
export async function startSimulators(stateFolder: string, webhookUrl: string): Promise<Simulators> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../simulators/main.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ATRIUM_SIMULATOR_STATE: stateFolder,
      ATRIUM_SIMULATOR_WEBHOOK_URL: webhookUrl,
      ATRIUM_SIMULATOR_MT5_MANAGER_LOGIN: demoManager.login,
      ATRIUM_SIMULATOR_MT5_MANAGER_PASSWORD: demoManager.password,
      ATRIUM_SIMULATOR_MT5_TIME_ZONE: demoTimeZone,
      ATRIUM_SIMULATOR_MT4_TOKEN: demoBridgeToken,
      ATRIUM_SIMULATOR_MT4_TIME_ZONE: demoTimeZone,
    },
  })
  const { mt5, mt4, payments } = await readReadyLine(child)
  return {
    mt5Url: mt5.url,
    mt5: connectMt5Control(mt5.controlUrl),
    mt4Url: mt4.url,
    mt4: connectMt4Control(mt4.controlUrl),
    payments,
    async stop() {
      if (child.exitCode !== null) return
      child.stdin?.end()
      await once(child, 'exit')
    },
  }
}

type Endpoints = { url: string; controlUrl: string }
type Ready = { mt5: Endpoints; mt4: Endpoints; payments: PaymentSettings }

async function readReadyLine(child: ChildProcess): Promise<Ready> {
  if (!child.stdout) throw new Error('The simulators have no output to read.')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line) as Ready
  }
  throw new Error('The simulators ended before they were ready.')
}
