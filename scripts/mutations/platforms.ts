import type { Mutation } from './mutation.ts'

const crediting = ['server/funding/crediting/crediting.test.ts']
const mt4 = ['server/trading-platforms/mt4/mt4.contract.test.ts', 'server/trading-platforms/mt4/bridge.test.ts']
const mt5 = ['server/trading-platforms/mt5/mt5.contract.test.ts', 'server/trading-platforms/mt5/session.test.ts']

/** Trading platforms: sessions, queues, and what an answer proves. */
export const platformMutations: Mutation[] = [
  {
    name: 'a send can be taken over while its call is running',
    file: 'server/platforms/connection.ts',
    find: 'given.lease_ms <= given.connect_ms + given.write_ms',
    replace: 'given.lease_ms <= 0',
    tests: ['server/platforms/platforms.test.ts'],
    guards: 'M8',
  },
  {
    name: 'a post-settlement check blocks its worker while the platform hangs',
    file: 'server/trading-platforms/platform-queue.ts',
    find: 'await waitAtMost(patienceMs, running)',
    replace: 'await running',
    tests: ['server/funding/crediting/hanging-platform.test.ts'],
    guards: 'V3',
  },
  {
    name: 'two processes query the same accounts',
    file: 'server/accounts/live-claims.ts',
    find: 'const lapsesAfterMs = 5_000',
    replace: 'const lapsesAfterMs = 0',
    tests: ['server/accounts/live-hub.test.ts'],
    guards: 'V3',
  },
  {
    name: 'the circuit of a failing platform never opens',
    file: 'server/foundation/circuit.ts',
    find: 'if (failuresInARow >= failuresBeforeOpening) openUp()',
    replace: 'if (failuresInARow >= 1_000_000) openUp()',
    tests: ['server/trading-platforms/breaker.test.ts'],
    guards: 'V3',
  },
  {
    name: 'a missing deal is final before the settling time is over',
    file: 'server/trading-platforms/absence.ts',
    find: 'const settledAt = sentAt.getTime() + timing.settleMs',
    replace: 'const settledAt = 0',
    tests: crediting,
    guards: 'M8',
  },
  {
    name: 'several deals with the tag are not reported as an incident',
    file: 'server/trading-platforms/intent-tag.ts',
    find: "if (others.length > 0) return { verdict: 'incident', why: 'several' }",
    replace: 'if (others.length < 0) return { verdict: "absent" }',
    tests: crediting,
    guards: 'M9',
  },
  {
    name: 'a tag has twenty random bits',
    file: 'server/trading-platforms/intent-tag.ts',
    find: 'for (const byte of randomBytes(16)) text += alphabet.charAt(byte & 31)',
    replace:
      'const few = randomBytes(4)\n  for (let at = 0; at < 16; at++) text += alphabet.charAt(((few[at & 3] ?? 0) + at) & 31)',
    tests: ['server/trading-platforms/intent-tag.test.ts'],
    guards: 'M9',
  },
  {
    name: 'the trading server does not have to prove that it knows the password',
    file: 'server/trading-platforms/mt5/session.ts',
    find: "if (!provesKey(key, ours, answered.record.text('cli_rand_answer'))) throw",
    replace: 'if (ours.length === 0) throw',
    tests: mt5,
    guards: 'M8',
  },
  {
    name: 'a money call to an MT4 bridge is repeated after a lost answer without a look-up',
    file: 'server/trading-platforms/mt4/client.ts',
    find: 'const mayRepeat = call.key === undefined && !isSecondTry',
    replace: 'const mayRepeat = !isSecondTry',
    tests: mt4,
    guards: 'M8',
  },
  {
    name: 'an empty list from an idle MT4 connection counts as absence',
    file: 'server/trading-platforms/mt4/platform.ts',
    find: '  await ping(platform, how)\n  return look()',
    replace: '  return look()',
    tests: mt4,
    guards: 'M8',
  },
  {
    name: 'the execution flag of an MT4 bridge is ignored',
    file: 'server/trading-platforms/mt4/failures.ts',
    find: "if (executed !== 'no') return",
    replace: "if (executed === ('never' as string)) return",
    tests: ['server/trading-platforms/mt4/return-codes.test.ts'],
    guards: 'M8',
  },
  {
    name: 'the execution flag of an MT4 bridge overrides an ambiguous platform code',
    file: 'server/trading-platforms/mt4/failures.ts',
    find: "if (ofCode?.outcome === 'unknown') return ofCode",
    replace: "if (ofCode?.outcome === ('never' as string)) return ofCode",
    tests: ['server/trading-platforms/mt4/return-codes.test.ts'],
    guards: 'M8',
  },
]
