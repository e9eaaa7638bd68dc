import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { openPage, sessionOf } from '../../page-under-test.ts'
import { accountsKey } from './accounts-key.ts'
import { followLiveMetrics } from './live-metrics.ts'
import type { Account } from './use-accounts.ts'

const ids = ['0190a0b0-0000-4000-8000-000000000001', '0190a0b0-0000-4000-8000-000000000002'] as const
const startMs = Date.UTC(2026, 8, 1, 12)
const stepMs = 10

type Drawn = { atMs: number; balances: (string | null)[]; areLive: boolean[]; asOf: (number | null)[] }

let client: QueryClient
let drawn: Drawn[] = []
let stop: () => void
let stopDrawing: () => void
let closePage: () => void
let connections: ReadableStreamDefaultController<Uint8Array>[] = []
let look = () => undefined as unknown
const page = {
  hidden: false,
  querySelector: () => null,
  addEventListener: (_: string, listener: () => unknown) => {
    look = listener
  },
  removeEventListener: () => undefined,
}

async function pass(ms: number, step = stepMs): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    mock.timers.tick(step)
    // A stream takes a few turns to reach its reader.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

function send(balance: string, of: readonly string[] = ids): void {
  const accounts = of.map((_id) => ({
    ...{ _id, balance, equity: balance, credit: '0.00', floating_pnl: '0.00' },
    ...{ margin: null, margin_free: null, margin_level: null, leverage: 100 },
    ...{ balance_as_of: Date.now(), balance_is_live: true },
  }))
  const event = `event: figures\ndata: ${JSON.stringify({ accounts, gone: [] })}\n\n`
  connections.at(-1)?.enqueue(new TextEncoder().encode(event))
}

function hide(isHidden: boolean): void {
  page.hidden = isHidden
  look()
}

/** Draws an event, then hides the page for a minute. Returns the time at which it was hidden. */
async function pauseAfterAnEvent(): Promise<number> {
  send('1.00')
  await pass(100)
  hide(true)
  const hiddenAt = Date.now()
  await pass(60_000, 1_000)
  hide(false)
  return hiddenAt
}

beforeEach(async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: startMs })
  mock.method(performance, 'now', () => Date.now())
  ;[drawn, connections, page.hidden] = [[], [], false]
  const serve = async (_address: string, { signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(connection) {
        connections.push(connection)
        signal?.addEventListener('abort', () => connection.error(new DOMException('Left', 'AbortError')))
      },
    })
    return new Response(body)
  }
  const globals = { document: page, addEventListener: () => 0, removeEventListener: () => 0 }
  closePage = openPage(serve, { session: sessionOf('secret'), globals })
  client = new QueryClient()
  const queryKey = [...accountsKey, 'synced']
  client.setQueryData(
    queryKey,
    ids.map((_id) => ({ _id, balance: '0.00', balance_is_live: true, balance_as_of: startMs })),
  )
  const observer = new QueryObserver<Account[]>(client, { queryKey, enabled: false, notifyOnChangeProps: ['data'] })
  stopDrawing = observer.subscribe(({ data = [] }) =>
    drawn.push({
      atMs: Date.now() - startMs,
      balances: data.map(({ balance }) => balance),
      areLive: data.map(({ balance_is_live }) => balance_is_live),
      asOf: data.map(({ balance_as_of }) => balance_as_of),
    }),
  )
  stop = followLiveMetrics(client)
  await pass(stepMs)
})
afterEach(() => {
  stop()
  stopDrawing()
  client.clear()
  mock.timers.reset()
  closePage()
})

it('draws at most once a second, however often metrics arrive, and ends with the newest', async () => {
  for (let sent = 1; sent <= 50; sent++) {
    send(`${sent}.00`)
    await pass(100)
  }
  await pass(1_000)
  assert.deepEqual(drawn[0]?.balances, ['1.00', '1.00'], 'the first event is drawn at once')
  assert.deepEqual(drawn.at(-1)?.balances, ['50.00', '50.00'])
  const pauses = drawn.slice(1).map(({ atMs }, index) => atMs - (drawn[index]?.atMs ?? 0))
  assert.ok(pauses.length >= 4 && pauses.every((ms) => ms >= 1_000), `pauses of ${pauses} ms`)
})

it('draws each second of a connection that is lost again and again', async () => {
  send('1.00')
  await pass(100)
  send('2.00')
  await pass(100)
  connections.at(-1)?.error(new TypeError('network error'))
  await pass(100)
  assert.equal(drawn.length, 1)
  await pass(1_000)
  assert.deepEqual(
    drawn.map(({ balances }) => balances[0]),
    ['1.00', '2.00'],
  )
  assert.ok((drawn[1]?.atMs ?? 0) - (drawn[0]?.atMs ?? 0) >= 1_000)
})

it('draws nothing while the page is hidden, and the newest metrics with the first event after that', async () => {
  send('1.00')
  await pass(100)
  send('2.00')
  await pass(stepMs)
  hide(true)
  await pass(600_000, 1_000)
  assert.deepEqual([drawn.length, connections.length], [1, 1])
  hide(false)
  await pass(stepMs)
  send('3.00')
  await pass(2 * stepMs)
  assert.equal(connections.length, 2)
  assert.deepEqual(drawn[1], { ...drawn[1], balances: ['3.00', '3.00'], areLive: [true, true] })
  await pass(2_000)
  assert.equal(drawn.length, 2)
})

it('dates the metrics of before a pause when no newer ones arrive', async () => {
  const hiddenAt = await pauseAfterAnEvent()
  await pass(stepMs)
  send('2.00', ids.slice(0, 1))
  await pass(2 * stepMs)
  // One draw: the first account is live, the platform of the second does not answer yet.
  assert.equal(drawn.length, 2)
  assert.deepEqual(
    [drawn[1]?.balances, drawn[1]?.areLive],
    [
      ['2.00', '1.00'],
      [true, false],
    ],
  )
  assert.equal(drawn[1]?.asOf[1], hiddenAt)

  hide(true)
  await pass(60_000, 1_000)
  hide(false)
  await pass(3_100)
  assert.deepEqual([drawn.length, drawn[2]?.areLive], [3, [false, false]])
})

it('draws an event that comes late after a pause at once, and does not date what was read since', async () => {
  await pauseAfterAnEvent()
  await pass(500)
  client.setQueryData([...accountsKey, 'synced'], (known: Account[] = []) =>
    known.map((account) => ({ ...account, balance: '2.00', balance_as_of: Date.now() })),
  )
  await pass(2_000)
  send('3.00', ids.slice(0, 1))
  await pass(2 * stepMs)
  assert.deepEqual(
    [drawn.at(-1)?.balances, drawn.at(-1)?.areLive],
    [
      ['3.00', '2.00'],
      [true, true],
    ],
  )
})

it('keeps the time of the figures when a short visit receives none', async () => {
  const hiddenAt = await pauseAfterAnEvent()
  await pass(500)
  hide(true)
  await pass(60_000, 1_000)
  hide(false)
  await pass(3_100)
  assert.deepEqual(drawn.at(-1)?.areLive, [false, false])
  assert.deepEqual(drawn.at(-1)?.asOf, [hiddenAt, hiddenAt])
})
