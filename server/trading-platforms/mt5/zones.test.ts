import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeIntentTag } from '../intent-tag.ts'
import { collect } from '../testing.ts'
import { login, startBench } from './harness.ts'

const zones = ['Etc/GMT+12', 'America/New_York', 'UTC', 'Europe/Athens', 'Asia/Kolkata', 'Pacific/Kiritimati']
const moments = ['2026-01-15T10:00:00Z', '2026-07-15T10:00:00Z', '2026-03-29T00:59:59Z', '2026-10-25T02:30:00Z']

for (const timeZone of zones) {
  test(`a deal made this minute has its true time and is found, in ${timeZone}, winter and summer`, async () => {
    for (const moment of moments) {
      const bench = await startBench({ timeZone, startMs: Date.parse(moment) })
      try {
        const now = bench.time.now() / 1000
        const tag = makeIntentTag()
        const wanted = { tag, login, kind: 'balance', amount: '9.99', currency: 'USD', note: 'Deposit' } as const
        const { ticket } = await bench.gateway.changeBalance({ ...wanted, refuseIfMarginTooLow: false })
        assert.deepEqual(
          await bench.gateway.findBalanceByTag(login, tag, now),
          [{ ticket, amount: '9.99', at: now, foundByReconciling: true }],
          moment,
        )
        const deals = await collect(bench.gateway.listDeals(login, now - 60, now))
        assert.ok(
          deals.some((deal) => deal.id === ticket && deal.at === now),
          moment,
        )
        assert.deepEqual((await bench.gateway.health()).problems, [])
      } finally {
        await bench.stop()
      }
    }
  })
}

test('a look-up finds its deal even where the zone is configured wrongly by eighteen hours', async () => {
  const bench = await startBench({ timeZone: 'America/New_York' })
  try {
    for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
      const gateway = bench.connect({ timeZone })
      const tag = makeIntentTag()
      const wanted = {
        tag,
        login,
        kind: 'balance',
        amount: '1',
        currency: 'USD',
        note: '',
        refuseIfMarginTooLow: false,
      } as const
      const { ticket } = await gateway.changeBalance(wanted)
      const found = await gateway.findBalanceByTag(login, tag, Math.floor(bench.time.now() / 1000))
      assert.deepEqual(
        found.map((receipt) => receipt.ticket),
        [ticket],
      )
    }
  } finally {
    await bench.stop()
  }
})

test('a look-up finds its deal even where our clock was three days ahead when it was sent', async () => {
  const bench = await startBench()
  try {
    const tag = makeIntentTag()
    const wanted = {
      tag,
      login,
      kind: 'balance',
      amount: '1',
      currency: 'USD',
      note: '',
      refuseIfMarginTooLow: false,
    } as const
    const { ticket } = await bench.gateway.changeBalance(wanted)
    const found = await bench.gateway.findBalanceByTag(login, tag, Math.floor(bench.time.now() / 1000) + 3 * 86_400)
    assert.deepEqual(
      found.map((receipt) => receipt.ticket),
      [ticket],
    )
  } finally {
    await bench.stop()
  }
})
