import type { z } from 'zod'
import type { Exchange } from '../../../simulators/mt4/door.ts'
import { type Mt4Simulator, startMt4Simulator } from '../../../simulators/mt4/simulator.ts'
import type { TradingGateway } from '../contract.ts'
import type { Operation, PlatformHarness } from '../contract-tests.ts'
import { benchAccounts, faultRule } from '../metatrader-bench.ts'
import { connectPlatform } from '../registry.ts'
import { type FakeTime, fakeTime, recordedLog } from '../testing.ts'
import type { mt4Settings } from './settings.ts'

export const token = 'harbour-bridge-token-1'
const startMs = Date.parse('2026-07-14T09:30:00Z')
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
  simulator.control.seedAccounts(benchAccounts({ login, activeLogin, dormantLogin, group }, time.now()))
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

export const callNames: Readonly<Record<Operation, string>> = {
  changeBalance: 'POST /v1/accounts/{login}/balance-operations',
  openAccount: 'POST /v1/accounts',
  setPassword: 'PUT /v1/accounts/{login}/password',
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
    breakNext: (operation, fault) => control.addFault({ path: callNames[operation], ...faultRule(fault, 8) }),
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
    written: {
      group: { name: 'group', instead: 'real-eur' },
      leverage: { name: 'leverage', instead: '50' },
      comment: { name: 'comment', instead: 'somebody else' },
      name: { name: 'name', instead: 'Ada' },
      email: { name: 'email', instead: 'ada@example.test' },
      phone: { name: 'phone', instead: '1' },
      country: { name: 'country', instead: 'Gozo' },
      city: { name: 'city', instead: 'Mdina' },
      state: { name: 'state', instead: 'North' },
      zip: { name: 'zip', instead: 'MDN 1' },
      address: { name: 'address', instead: '2 Gate' },
    },
    alter: (altered) => control.setSwitches({ altered }),
    keepsTrading: { enable_read_only: '0' },
    weakPasswords: ['Sh0r', 'onlyletters', 'Sixteen-Chars-16', 'Pässwörd1'],
    remembersCalls: true,
    secrets: [token, 'Privatename', 'ada.private'],
    stop,
  }
}
