import type { z } from 'zod'
import { type Mt5Simulator, startMt5Simulator } from '../../../simulators/mt5/simulator.ts'
import type { TradingGateway } from '../contract.ts'
import type { Operation, PlatformHarness } from '../contract-tests.ts'
import { benchAccounts, faultRule } from '../metatrader-bench.ts'
import { connectPlatform } from '../registry.ts'
import { type FakeTime, fakeTime, recordedLog } from '../testing.ts'
import type { mt5Settings } from './settings.ts'

export const managerPassword = 'Manager-Pass-9!'
export const startMs = Date.parse('2026-07-14T09:30:00Z')

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

const group = 'real\\standard-usd'
export const login = '700101'
export const activeLogin = '700102'
export const dormantLogin = '700103'

const paths: Readonly<Record<Operation, string>> = {
  changeBalance: '/api/trade/balance',
  openAccount: '/api/user/add',
  setPassword: '/api/user/change_password',
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
    breakNext: (operation, fault) => control.addFault({ path: paths[operation], ...faultRule(fault, 12) }),
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
    written: {
      group: { name: 'Group', instead: 'real\\standard-eur' },
      leverage: { name: 'Leverage', instead: '50' },
      rights: { name: 'Rights', instead: '2534' },
      comment: { name: 'Comment', instead: 'somebody else' },
      name: { name: 'Name', instead: 'Ada' },
      firstName: { name: 'FirstName', instead: 'Ada' },
      lastName: { name: 'LastName', instead: 'Other' },
      email: { name: 'Email', instead: 'ada@example.test' },
      phone: { name: 'Phone', instead: '1' },
      country: { name: 'Country', instead: 'Gozo' },
      city: { name: 'City', instead: 'Mdina' },
      state: { name: 'State', instead: 'North' },
      zip: { name: 'ZipCode', instead: 'MDN 1' },
      address: { name: 'Address', instead: '2 Gate' },
    },
    alter: (altered) => control.setSwitches({ altered }),
    keepsTrading: { Rights: control.account(login)?.rights ?? '' },
    weakPasswords: ['short', 'alllowercase1', 'has=equals#A1'],
    secrets: [managerPassword, 'Privatename', 'ada.private', 'srv_rand_answer', 'cli_rand'],
    stop,
  }
}
