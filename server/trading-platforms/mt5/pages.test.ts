import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Bench, login, startBench } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { collect, until } from '../../../tests/fixtures/trading/trading-platforms.ts'

async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await startBench()
  try {
    await work(bench)
  } finally {
    await bench.stop()
  }
}

/** Carries out a change after the first page was read, before its reader asks for the second. */
async function betweenPages(
  { simulator: { control } }: Bench,
  path: string,
  reading: () => Promise<unknown>,
  change: () => void,
) {
  control.clearCalls()
  control.addFault({ path, times: 1, kind: 'late-answer', ms: 3_600_000 })
  const list = reading()
  await until(() => control.calls().some((call) => call.path === path))
  change()
  await until(() => control.landPending() > 0)
  await list
}

const hourMs = 3_600_000

describe('a list that is read in pages skips no row when', () => {
  for (const removed of [1, 100, 130, 230])
    test(`${removed} deals before the next page disappear`, () =>
      withBench(async (bench) => {
        const { control } = bench.simulator
        const now = bench.time.now()
        for (let made = 0; made < 125; made++) {
          const at = { openedAtMs: now - (made + 2) * hourMs, closedAtMs: now - (made + 1) * hourMs }
          const prices = { openPrice: '1.27000', closePrice: '1.27010' }
          control.addTrade(login, { symbol: 'GBPUSD', side: 'sell', lots: '0.01', ...prices, ...at })
        }
        const inOrder = control.ledger(login).sort((one, other) => one.timeMsc - other.timeMsc)
        const seen = new Set<string>()
        const read = async () => {
          for (const { id } of await collect(bench.gateway.listDeals(login, 0, Math.floor(now / 1000)))) seen.add(id)
        }
        await betweenPages(bench, '/api/deal/get_page', read, () => {
          for (const { deal } of inOrder.slice(0, removed)) control.removeDeal(deal)
        })
        const left = control.ledger(login).map(({ deal }) => deal)
        assert.equal(left.length, inOrder.length - removed)
        assert.deepEqual(
          left.filter((deal) => !seen.has(deal)),
          [],
        )
      }))

  for (const removed of [1, 101])
    test(`${removed} groups before the next page disappear`, () =>
      withBench(async (bench) => {
        const { control } = bench.simulator
        const nameOf = (number: number): string => `a\\many-${String(number).padStart(3, '0')}`
        for (let made = 0; made < 250; made++) control.addGroup({ name: nameOf(made), currency: 'USD' })
        const names = new Set<string>()
        const read = async () => {
          for (const { name } of await bench.gateway.listGroups()) names.add(name)
        }
        await betweenPages(bench, '/api/group/next', read, () => {
          for (let number = 0; number < removed; number++) control.removeGroup(nameOf(number))
        })
        for (let number = removed; number < 250; number++) assert.ok(names.has(nameOf(number)), nameOf(number))
        assert.ok(names.has('real\\standard-usd'))
      }))
})
