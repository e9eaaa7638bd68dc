import type { z } from 'zod'
import { type Mt5Simulator, startMt5Simulator } from '../../../simulators/mt5/simulator.ts'
import type { TradingGateway } from '../contract.ts'
import type { Operation, PlatformFault, PlatformHarness } from '../contract-tests.ts'
import { connectPlatform } from '../registry.ts'
import { type FakeTime, fakeTime, recordedLog } from '../testing.ts'
import type { mt5Settings } from './settings.ts'

export const managerPassword = 'Manager-Pass-9!'
export const startMs = Date.parse('2026-07-14T09:30:00Z')
const DAY_MS = 86_400_000

export type Bench = {
  simulator: Mt5Simulator
  time: FakeTime
  logLines: string[]
  gateway: TradingGateway
  connect(change?: Partial<z.input<typeof mt5Settings>>): TradingGateway
  stop(): Promise<void>
}

/** A simulator and gateways to it, all on one clock that a test moves. */
export async function startBench(options: { timeZone?: string; startMs?: number } = {}): Promise<Bench> {
  const timeZone = options.timeZone ?? 'Europe/Athens'
  const time = fakeTime(options.startMs ?? startMs)
  const log = recordedLog()
  const managers = [{ login: '1002', password: managerPassword }]
  const stateFile = ':memory:'
  const simulator = await startMt5Simulator({
    port: 0,
    stateFile,
    managers,
    timeZone,
    clock: time,
    movingPrices: false,
  })
  const opened: TradingGateway[] = []
  const connect: Bench['connect'] = (change = {}) => {
    const usual = { baseUrl: simulator.url, managerLogin: '1002', managerPassword, timeZone, allowPlainHttp: true }
    const gateway = connectPlatform('mt5', { ...usual, callsPerSecond: 10_000, ...change }, { time, log })
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

const group = 'real\\standard-usd'
export const login = '700101'
export const activeLogin = '700102'
export const dormantLogin = '700103'

function seed(simulator: Mt5Simulator, now: number): void {
  const trade = { symbol: 'EURUSD', side: 'buy', lots: '1.05', openPrice: '1.08100', closePrice: '1.08350' } as const
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
      positions: [
        { symbol: 'EURUSD', side: 'buy', lots: '0.1', openPrice: '1.08100', openedAtMs: now - DAY_MS, swap: '-0.50' },
      ],
    },
    { login: dormantLogin, group, name: 'Cat Privatename', leverage: 100, balance: '77.70' },
  ])
}

const paths: Readonly<Record<Operation, string>> = {
  changeBalance: '/api/trade/balance',
  openAccount: '/api/user/add',
  setPassword: '/api/user/change_password',
}
const LONG_MS = 3_600_000

function breakNext({ control }: Mt5Simulator, operation: Operation, fault: PlatformFault): void {
  const rule = { path: paths[operation], times: 1 }
  if (fault === 'execute-then-error') control.addFault({ ...rule, kind: 'execute-then-500' })
  else if (fault === 'hang') control.addFault({ ...rule, kind: 'delay', ms: LONG_MS })
  else if (fault === 'throttle') control.addFault({ ...rule, kind: 'answer-code', code: 12 })
  else if (fault === 'lose-session') control.addFault({ ...rule, kind: 'close-session' })
  else if (fault === 'land-later') control.addFault({ ...rule, kind: 'land-after', ms: LONG_MS })
  else control.addFault({ ...rule, kind: fault })
}

export async function startMt5Harness(): Promise<PlatformHarness> {
  const { simulator, time, logLines, gateway, stop } = await startBench()
  const { control } = simulator
  const hour = 3_600_000
  return {
    gateway,
    time,
    logLines,
    group,
    login,
    activeLogin,
    dormant: { login: dormantLogin, balance: '77.70' },
    missingLogin: '999999',
    breakNext: (operation, fault) => breakNext(simulator, operation, fault),
    reached: (operation) => control.calls().some((call) => call.path === paths[operation]),
    landNow: () => {
      control.landPending()
    },
    hangUp: () => control.dropConnections(),
    ledger: (of) => control.ledger(of).map(({ deal, amount, comment }) => ({ ticket: deal, amount, comment })),
    addDeals: (of, count) => {
      // Each trade is two deals.
      for (let made = 0; made < count / 2; made++) {
        const at = { openedAtMs: time.now() - (made + 2) * 6 * hour, closedAtMs: time.now() - (made + 1) * 6 * hour }
        const prices = { openPrice: '1.27000', closePrice: '1.27010' }
        control.addTrade(of, { symbol: 'GBPUSD', side: 'sell', lots: '0.01', ...prices, ...at })
      }
    },
    accountsOf: (name) => control.accountsOf(name).length,
    weakPasswords: ['short', 'alllowercase1', 'has=equals#A1'],
    secrets: [managerPassword, 'Privatename', 'ada.private', 'srv_rand_answer', 'cli_rand'],
    stop,
  }
}
