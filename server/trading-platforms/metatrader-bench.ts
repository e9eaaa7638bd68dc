import type { FaultRule } from '../../simulators/metatrader/faults.ts'
import type { AccountSeed } from '../../simulators/metatrader/seeds.ts'
import type { PlatformFault } from './contract-tests.ts'

/** What the benches of both MetaTrader adapters have in common. */
const DAY_MS = 86_400_000
const LONG_MS = 3_600_000

/** A fault in the words of the contract, as the simulators know it. */
export function faultRule(fault: PlatformFault, throttleCode: number): Omit<FaultRule, 'path'> {
  const rules: Partial<Record<PlatformFault, Omit<FaultRule, 'path' | 'times'>>> = {
    'execute-then-error': { kind: 'execute-then-500' },
    hang: { kind: 'delay', ms: LONG_MS },
    throttle: { kind: 'answer-code', code: throttleCode },
    'lose-session': { kind: 'close-session' },
    'land-later': { kind: 'land-after', ms: LONG_MS },
  }
  return { times: 1, ...(rules[fault] ?? { kind: fault as FaultRule['kind'] }) }
}

type Logins = { login: string; activeLogin: string; dormantLogin: string; group: string }

/** An account with 1000.00, one with an open and a closed trade, and one that nothing ever happened on. */
export function benchAccounts({ login, activeLogin, dormantLogin, group }: Logins, now: number): AccountSeed[] {
  const trade = { symbol: 'EURUSD', side: 'buy', lots: '1.05', openPrice: '1.08100', closePrice: '1.08350' } as const
  const position = { symbol: 'EURUSD', side: 'buy', lots: '0.1', openPrice: '1.08100', swap: '-0.50' } as const
  const closed = { openedAtMs: now - 9 * DAY_MS, closedAtMs: now - 8 * DAY_MS, swap: '-0.50', commission: '-0.70' }
  return [
    { login, group, name: 'Ada Privatename', email: 'ada.private@example.test', leverage: 200, balance: '1000' },
    {
      login: activeLogin,
      group,
      name: 'Ben Privatename',
      leverage: 200,
      balance: '1250',
      trades: [{ ...trade, ...closed }],
      positions: [{ ...position, openedAtMs: now - DAY_MS }],
    },
    { login: dormantLogin, group, name: 'Cat Privatename', leverage: 100, balance: '77.70' },
  ]
}
