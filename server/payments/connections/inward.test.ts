import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startPaymentSimulators } from '../../../simulators/payments/start-simulators.ts'
import { isReachable } from '../../foundation/database/reachable.ts'
import { type Http, type OrderToStart, PaymentProblem, type ProviderAdapter } from '../../payment-providers/contract.ts'
import { openHttp, refuseInward } from '../../payment-providers/http.ts'
import type { ProviderUnderTest } from '../../payment-providers/provider-under-test.ts'
import { listAdapters } from '../../payment-providers/registry.ts'

/** A server at an address that must not be reached: counts connections and answers with a redirect. */
async function openTrap(host: string, location?: () => string) {
  let connections = 0
  const server: Server = createServer((_request, response) => {
    response.writeHead(302, location && { location: location() }).end()
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return { port: (server.address() as AddressInfo).port, connections: () => connections, close: () => server.close() }
}

/** The currency from the provider's own tests. */
async function currencyOf(uid: string): Promise<string> {
  const file = `../../payment-providers/${uid}/under-test.ts`
  const { underTest } = (await import(file)) as { underTest: ProviderUnderTest }
  return underTest.currency ?? 'USD'
}

const orderFor = (currency: string, adapter: ProviderAdapter): OrderToStart => ({
  attempt: 'dep-0123456789abcdef01234567',
  amount: currency === 'VND' ? '250000' : '250.00',
  currency,
  ...(adapter.takesCoins && { coin: 'BTC' }),
  description: 'Deposit 1042',
  payer: {
    ...{ id: 'member-1', email: 'mara@example.com', firstName: 'Mara', lastName: 'Member', phone: '+35621000000' },
    ...{ country: 'MT', city: 'Valletta', address: '1 Harbour Road', zip: null, state: null },
    ...{ ip: '203.0.113.7', language: 'en' },
  },
  urls: { back: 'https://p.example/back', cancelled: 'https://p.example/off', notify: 'https://p.example/told' },
  at: new Date('2026-11-21T09:00:00Z'),
})

/** The providers whose answer names the page; the page of the others is a setting. */
const namesPage = ['coinpayments', 'neteller', 'nganluong', 'zotapay']

type Asked = { calls: number; failures: string[] }

/** Tests the connection, starts a payment and queries one through each adapter, with the given HTTP client. */
async function askAll(
  uid: string,
  adapter: ProviderAdapter,
  settings: Record<string, string>,
  way: Http,
): Promise<Asked> {
  const asked: Asked = { calls: 0, failures: [] }
  const http: Http = (request) => {
    asked.calls += 1
    return way(request)
  }
  const tried = async (attempt: () => Promise<unknown>): Promise<void> => {
    const before = asked.calls
    await attempt().then(
      () => asked.calls > before && asked.failures.push('none'),
      (problem) => {
        assert.ok(problem instanceof PaymentProblem, String(problem))
        asked.failures.push(problem.failure)
      },
    )
  }
  const order = orderFor(await currencyOf(uid), adapter)
  const provider = adapter.connect(settings, http)
  await tried(() => provider.test())
  await tried(() => provider.start(order))
  const { readStatus } = provider
  if (readStatus) await tried(() => readStatus({ attempt: order.attempt, reference: null, at: order.at }))
  if (provider.readCoins) await tried(() => provider.readCoins?.() ?? Promise.resolve())
  return asked
}

describe('the addresses that payment providers are called at', () => {
  let simulators: Awaited<ReturnType<typeof startPaymentSimulators>>
  let trap: Awaited<ReturnType<typeof openTrap>>
  let sendsOn: Awaited<ReturnType<typeof openTrap>>
  const reach = { production: true }
  before(async () => {
    simulators = await startPaymentSimulators()
    trap = await openTrap('localhost')
    sendsOn = await openTrap('127.0.0.1', () => `http://localhost:${trap.port}/latest/meta-data`)
  })
  after(async () => {
    await simulators.stop()
    trap.close()
    sendsOn.close()
  })

  /** The demo settings with every address moved to another host. */
  const settingsAt = (uid: string, origin: string): Record<string, string> => {
    const usual = Object.entries(simulators.settings[uid] ?? {})
    const moved = usual.map(([name, value]) => [
      name,
      value.replace(/https?:\/\/(127\.0\.0\.1|localhost):\d+/g, origin),
    ])
    assert.notDeepEqual(moved, usual, `${uid} has an address`)
    return Object.fromEntries(moved)
  }

  const inward = () => [
    ...[`http://127.0.0.1:${trap.port}`, `https://localhost:${trap.port}`, `https://127.0.0.1:${trap.port}`],
    ...[`https://[::1]:${trap.port}`, `https://2130706433:${trap.port}`, `https://[::ffff:127.0.0.1]:${trap.port}`],
    ...['https://169.254.169.254', 'https://10.0.0.7', 'https://192.168.1.1', 'https://[fd00::1]'],
  ]

  it('a network opened for trading platforms stays closed for providers', () => {
    const opened = { production: true, platformNetworks: ['10.20.0.0/16'] }
    assert.equal(isReachable(opened, '10.20.3.4'), true)
    assert.throws(() => refuseInward('https://10.20.3.4', opened), { failure: 'misconfigured' })
  })

  for (const [uid, adapter] of listAdapters()) {
    it(`${uid}: reaches its simulator here, and no internal address in production`, async () => {
      const usual = simulators.settings[uid] ?? {}
      const here = await askAll(uid, adapter, usual, openHttp({ ...reach, production: false }))
      assert.ok(here.calls > 0 && here.failures.includes('none'), `${uid}: ${here.failures}`)
      const connections = trap.connections()
      for (const origin of inward()) {
        const settings = settingsAt(uid, origin)
        try {
          const { calls, failures } = await askAll(uid, adapter, settings, openHttp(reach))
          assert.ok(calls > 0)
          for (const failure of failures) assert.match(failure, /^(misconfigured|unavailable)$/, `${uid} ${origin}`)
        } catch (problem) {
          // The settings may be refused instead.
          assert.ok(problem instanceof PaymentProblem && problem.failure === 'misconfigured', String(problem))
        }
      }
      assert.equal(trap.connections(), connections)
    })

    it(`${uid}: sends a member to its listed hosts only, whatever it answers`, async () => {
      const way = openHttp({ production: false })
      const tampered: Http = async (request) => {
        const { status, text } = await way(request)
        return { status, text: text.replace(/https?:([\\/]+)(127\.0\.0\.1|localhost):\d+/g, 'https:$1evil.example') }
      }
      const provider = adapter.connect(simulators.settings[uid] ?? {}, tampered, { production: false })
      const order = { ...orderFor(await currencyOf(uid), adapter), attempt: 'dep-fedcba9876543210fedcba98' }
      const problem = await provider.start(order).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (namesPage.includes(uid)) {
        assert.ok(problem instanceof PaymentProblem, `${uid}: ${problem}`)
        const detail = 'the payment page is on a host that is not listed: evil.example'
        assert.deepEqual([problem.failure, problem.detail], ['misconfigured', detail])
      } else assert.equal(problem, null)
    })

    it(`${uid}: follows no redirect`, async () => {
      const connections = trap.connections()
      const asked = sendsOn.connections()
      const settings = settingsAt(uid, `http://127.0.0.1:${sendsOn.port}`)
      await askAll(uid, adapter, settings, openHttp({ ...reach, production: false }))
      assert.ok(sendsOn.connections() > asked, 'the redirecting server was called')
      assert.equal(trap.connections(), connections)
    })
  }

  it('no adapter opens connections of its own', () => {
    for (const [uid] of listAdapters()) {
      const folder = `${import.meta.dirname}/../../payment-providers/${uid}`
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')))
        assert.doesNotMatch(
          readFileSync(`${folder}/${file}`, 'utf8'),
          /node:(https?|http2|net|tls|dgram)|\bfetch\(|undici|WebSocket|XMLHttpRequest/,
          `${uid}/${file}`,
        )
    }
  })
})
