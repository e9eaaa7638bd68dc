import type { Mutation } from './mutation.ts'

const webhookEvents = ['server/payments/webhook-events.test.ts']
const hanging = ['server/payments/connections/hanging-provider.test.ts']
const breaker = ['server/payments/connections/breaker.test.ts']
const spelledNumbers = ['server/payment-providers/spelled-numbers.test.ts']

/** Payment providers: their messages, connections and secrets. */
export const providerMutations: Mutation[] = [
  {
    name: 'a number in a provider message is parsed as a float',
    file: 'server/payment-providers/messages.ts',
    find: 'const value = parseUnambiguous(text)',
    replace: 'const value: unknown = JSON.parse(text)',
    tests: spelledNumbers,
    guards: 'M7',
  },
  {
    name: 'all payment providers share one queue',
    file: 'server/payments/connections/connections.ts',
    find: 'queues.run(keyOf(actor, providerId), key, work)',
    replace: "queues.run('one', key, work)",
    tests: hanging,
    guards: 'V3',
  },
  {
    name: 'an error of a gateway in front of a provider counts as its answer',
    file: 'server/payments/connections/breaker.ts',
    find: 'status < 500',
    replace: 'status > 0',
    tests: breaker,
    guards: 'V3',
  },
  {
    name: 'a missing payment signature is accepted',
    file: 'server/payment-providers/signing.ts',
    find: "if (typeof given !== 'string' || given.length !== expected.length) return false",
    replace: "if (typeof given !== 'string' || given.length !== expected.length) return true",
    tests: webhookEvents,
    guards: 'M5',
  },
  {
    name: 'a payment provider starts without its secret',
    file: 'server/payment-providers/setting-kinds.ts',
    find: ".min(8, 'A secret has at least 8 characters.')",
    replace: '',
    tests: webhookEvents,
    guards: 'M5',
  },
  {
    name: 'a process verifies webhooks with an outdated secret',
    file: 'server/payments/connections/connections.ts',
    find: 'const settings = await onceProven(() => reading(system, (tx) => readConnection(tx, system, row.provider_id)))',
    replace: `const shelf = globalThis as unknown as Record<string, Settings>
      shelf[row.provider_id] ??= (await reading(system, (tx) => readConnection(tx, system, row.provider_id))) ?? {}
      const settings = shelf[row.provider_id]`,
    tests: ['server/payments/connections/changed-secret.slow.test.ts'],
    guards: 'M5',
  },
  {
    name: 'a process calls a provider with an outdated secret',
    file: 'server/payments/connections/connections.ts',
    find: 'return { row, connect: () => openWay(actor, row, sealed ? openConnection(system, sealed) : {}) }',
    replace: `const shelf = globalThis as unknown as Record<string, Settings>
        shelf[row.provider_id] ??= sealed ? openConnection(system, sealed) : {}
        return { row, connect: () => openWay(actor, row, shelf[row.provider_id] ?? {}) }`,
    tests: ['server/payments/connections/changed-secret.slow.test.ts'],
    guards: 'M5',
  },
  {
    name: 'production connects to a payment simulator',
    file: 'server/payment-providers/http.ts',
    find: "if (options.production && url.protocol !== 'https:') throw new PaymentProblem('misconfigured', 'not https')",
    replace: 'if (options.production) return url',
    tests: webhookEvents,
    guards: 'S4',
  },
  {
    name: 'minor units are computed with Number',
    file: 'server/payment-providers/minor-units.ts',
    find: "if (whole === '' ||",
    replace: "if (decimals >= 0) return String(Math.floor(Number(amount) * 10 ** decimals))\n  if (whole === '' ||",
    tests: ['server/payment-providers/minor-units.test.ts'],
    guards: 'M7',
  },
  {
    name: 'calls to payment providers can reach private addresses by DNS',
    file: 'server/payment-providers/http.ts',
    find: '        lookup: guardedLookup(reachOf(options)),\n',
    replace: '',
    tests: ['server/payments/connections/inward.test.ts'],
    guards: 'U9',
  },
  {
    name: 'payment providers can use networks that are allowed for trading platforms',
    file: 'server/payment-providers/http.ts',
    find: 'const reachOf = ({ production }: Options) => ({ production, platformNetworks: [] })',
    replace: 'const reachOf = (options: Options) => ({ platformNetworks: [], ...options })',
    tests: ['server/payments/connections/inward.test.ts'],
    guards: 'U9',
  },
  {
    name: 'the log contains personal data from a provider',
    file: 'server/payment-providers/contract.ts',
    find: 'this.failure = failure\n',
    replace: 'this.failure = failure\n    this.message += detail\n',
    tests: ['server/payments/connections/labels-in-logs.test.ts'],
    guards: 'P1',
  },
]
