import type { z } from 'zod'
import type { Exchange } from '../../../simulators/mt4/door.ts'
import { type Mt4Simulator, startMt4Simulator } from '../../../simulators/mt4/simulator.ts'
import type { TradingGateway } from '../contract.ts'
import type { Operation, PlatformFault, PlatformHarness } from '../contract-tests.ts'
import { connectPlatform } from '../registry.ts'
import { type FakeTime, fakeTime, recordedLog } from '../testing.ts'
import type { mt4Settings } from './settings.ts'

export const token = 'harbour-bridge-token-1'
const startMs = Date.parse('2026-07-14T09:30:00Z')
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export type Bench = {
  simulator: Mt4Simulator
  time: FakeTime
  logLines: string[]
  gateway: TradingGateway
  connect(change?: Partial<z.input<typeof mt4Settings>>): TradingGateway
  stop(): Promise<void>
}

type BenchOptions = { timeZone?: string; startMs?: number; watch?: (exchange: Exchange) => void; stateFile?: string }

/** A simulator and gateways to it, all on one clock that a test moves. */
export async function startBench(options: BenchOptions = {}): Promise<Bench> {
  const time = fakeTime(options.startMs ?? startMs)
  const log = recordedLog()
  const simulator = await startMt4Simulator({
    port: 0,
    stateFile: options.stateFile ?? ':memory:',
    token,
    timeZone: options.timeZone ?? 'Europe/Athens',
    clock: time,
    movingPrices: false,
    ...(options.watch !== undefined && { watch: options.watch }),
  })
  const opened: TradingGateway[] = []
  const connect: Bench['connect'] = (change = {}) => {
    const usual = { baseUrl: simulator.url, token, allowPlainHttp: true, callsPerSecond: 10_000 }
    const gateway = connectPlatform('mt4', { ...usual, ...change }, { time, log })
    opened.push(gateway)
    return gateway
  }
  seed(simulator, time.now())
  return {
    simulator,
    time,
    logLines: log.lines,
    gateway: connect(),
    connect,
    stop: async () => {
      for (const gateway of opened) await gateway.close()
      await simulator.stop()
    },
  }
}

export const group = 'real-usd'
export const login = '400101'
export const activeLogin = '400102'
export const dormantLogin = '400103'

function seed(simulator: Mt4Simulator, now: number): void {
  const trade = { symbol: 'EURUSD', side: 'buy', lots: '1.05', openPrice: '1.08100', closePrice: '1.08350' } as const
  const position = { symbol: 'EURUSD', side: 'buy', lots: '0.1', openPrice: '1.08100', swap: '-0.50' } as const
  simulator.control.seedAccounts([
    { login, group, name: 'Ada Privatename', email: 'ada.private@example.test', leverage: 200, balance: '1000' },
    {
      login: activeLogin,
      group,
      name: 'Ben Privatename',
      leverage: 200,
      balance: '1250',
      trades: [
        { ...trade, openedAtMs: now - 9 * DAY_MS, closedAtMs: now - 8 * DAY_MS, swap: '-0.50', commission: '-0.70' },
      ],
      positions: [{ ...position, openedAtMs: now - DAY_MS }],
    },
    { login: dormantLogin, group, name: 'Cat Privatename', leverage: 100, balance: '77.70' },
  ])
}

export const callNames: Readonly<Record<Operation, string>> = {
  changeBalance: 'POST /v1/accounts/{login}/balance-operations',
  openAccount: 'POST /v1/accounts',
  setPassword: 'PUT /v1/accounts/{login}/password',
}

function breakNext({ control }: Mt4Simulator, operation: Operation, fault: PlatformFault): void {
  const rule = { path: callNames[operation], times: 1 }
  if (fault === 'execute-then-error') control.addFault({ ...rule, kind: 'execute-then-500' })
  else if (fault === 'hang') control.addFault({ ...rule, kind: 'delay', ms: HOUR_MS })
  else if (fault === 'throttle') control.addFault({ ...rule, kind: 'answer-code', code: 8 })
  else if (fault === 'lose-session') control.addFault({ ...rule, kind: 'close-session' })
  else if (fault === 'land-later') control.addFault({ ...rule, kind: 'land-after', ms: HOUR_MS })
  else control.addFault({ ...rule, kind: fault })
}

export async function startMt4Harness(): Promise<PlatformHarness> {
  const { simulator, time, logLines, gateway, stop } = await startBench()
  const { control } = simulator
  return {
    gateway,
    time,
    logLines,
    group,
    login,
    activeLogin,
    dormant: { login: dormantLogin, balance: '77.70' },
    missingLogin: '499998',
    breakNext: (operation, fault) => breakNext(simulator, operation, fault),
    reached: (operation) => control.calls().some(({ call }) => call === callNames[operation]),
    landNow: () => {
      control.landPending()
    },
    hangUp: () => control.dropConnections(),
    ledger: (of) => control.ledger(of).map(({ order, amount, comment }) => ({ ticket: order, amount, comment })),
    addDeals: (of, count) => {
      for (let made = 0; made < count; made++) {
        const at = { openedAtMs: time.now() - (made + 2) * HOUR_MS, closedAtMs: time.now() - (made + 1) * HOUR_MS }
        const prices = { openPrice: '1.27000', closePrice: '1.27010' }
        control.addTrade(of, { symbol: 'GBPUSD', side: 'sell', lots: '0.01', ...prices, ...at })
      }
    },
    accountsOf: (name) => control.accountsOf(name).length,
    weakPasswords: ['Sh0r', 'onlyletters', 'Sixteen-Chars-16', 'Pässwörd1'],
    remembersCalls: true,
    secrets: [token, 'Privatename', 'ada.private'],
    stop,
  }
}
