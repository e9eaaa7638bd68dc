/**
 * MetaTrader 5 servers in their own process, with one account for each possible watcher. Every account holds one lot that gains
 * a dollar with each tick, so the floating result identifies the tick.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import type { Tick } from '../measure/measurement.ts'
import { now } from './live-members.ts'

export const manager = { login: '1002', password: 'Bench-Manager-1' }
export const firstLogin = 700_001
/** Far shorter than the second between the hub's reads, so that ticks hit every phase of it. */
const tickMs = 137

type SideMessage = { urls: string[] } | { tick: Tick } | { ticks: Tick[]; calls: number }

export type Platforms = {
  urls: string[]
  /** The ticks and calls since the last reading. */
  take(): Promise<{ ticks: Tick[]; calls: number }>
  onTick(onEach: (tick: Tick) => void): void
  stop(): void
}

export async function forkPlatforms(count: number, accountsEach: number): Promise<Platforms> {
  const child = fork(import.meta.filename, [String(count), String(accountsEach)])
  const [{ urls }] = (await once(child, 'message')) as [{ urls: string[] }]
  return {
    urls,
    take: () =>
      new Promise((resolve) => {
        const onMessage = (message: SideMessage): void => {
          if (!('calls' in message)) return
          child.off('message', onMessage)
          resolve(message)
        }
        child.on('message', onMessage)
        child.send('take')
      }),
    onTick(onEach) {
      child.on('message', (message: { tick?: Tick }) => {
        if (message.tick) onEach(message.tick)
      })
    },
    stop: () => void child.kill(),
  }
}

async function act(count: number, accountsEach: number): Promise<void> {
  const simulators: Mt5Simulator[] = []
  for (let index = 0; index < count; index++) {
    const simulator = await startMt5Simulator({
      port: 0,
      stateFile: ':memory:',
      managers: [manager],
      timeZone: 'Europe/Athens',
      movingPrices: false,
    })
    simulator.control.setBid('EURUSD', '1.00000')
    simulator.control.seedAccounts(Array.from({ length: accountsEach }, (_, place) => seedOf(firstLogin + place)))
    simulators.push(simulator)
  }
  let ticks: Tick[] = []
  let calls = 0
  let number = 0
  setInterval(() => {
    number += 1
    for (const { control } of simulators) control.setBid('EURUSD', (1 + number / 100_000).toFixed(5))
    const tick = { number, at: now() }
    ticks.push(tick)
    process.send?.({ tick })
  }, tickMs)
  const countCalls = (): void => {
    for (const { control } of simulators) {
      calls += control.calls().length
      control.clearCalls()
    }
  }
  setInterval(countCalls, 100)
  process.on('message', () => {
    countCalls()
    process.send?.({ ticks, calls })
    ticks = []
    calls = 0
  })
  process.send?.({ urls: simulators.map(({ url }) => url) })
}

function seedOf(login: number) {
  const position = {
    symbol: 'EURUSD',
    side: 'buy',
    lots: '1.00',
    openPrice: '1.00000',
    openedAtMs: Date.now(),
  } as const
  const account = { login: String(login), group: 'real\\standard-usd', name: 'Bench Member', leverage: 100 }
  return { ...account, balance: '100000.00', positions: [position] }
}

if (import.meta.main) await act(Number(process.argv[2]), Number(process.argv[3]))
