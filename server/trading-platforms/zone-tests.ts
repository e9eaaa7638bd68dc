import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect, type FakeTime } from '../../tests/fixtures/trading/trading-platforms.ts'
import type { TradingGateway } from './contract.ts'
import { makeIntentTag } from './intent-tag.ts'

type Bench = { gateway: TradingGateway; time: FakeTime; login: string; stop(): Promise<void> }

const zones = ['Etc/GMT+12', 'America/New_York', 'UTC', 'Europe/Athens', 'Asia/Kolkata', 'Pacific/Kiritimati']
const moments = ['2026-01-15T10:00:00Z', '2026-07-15T10:00:00Z', '2026-03-29T00:59:59Z', '2026-10-25T02:30:00Z']

/** Checks that times leave an adapter as UTC, whatever the zone of the platform's clock. */
export function testZones(
  name: string,
  start: (options: { timeZone: string; startMs: number }) => Promise<Bench>,
): void {
  for (const timeZone of zones) {
    test(`${name}: a deal of this minute has its true time and is found, in ${timeZone}, in winter and summer`, async () => {
      for (const moment of moments) {
        const bench = await start({ timeZone, startMs: Date.parse(moment) })
        try {
          await assertTrueTime(bench, moment)
        } finally {
          await bench.stop()
        }
      }
    })
  }
}

async function assertTrueTime({ gateway, time, login }: Bench, moment: string): Promise<void> {
  const now = time.now() / 1000
  const tag = makeIntentTag()
  const wanted = { tag, login, kind: 'balance', amount: '9.99', currency: 'USD', note: 'Deposit' } as const
  const { ticket } = await gateway.changeBalance({ ...wanted, refuseIfMarginTooLow: false })
  assert.deepEqual(
    await gateway.findBalanceByTag(login, tag, now),
    [{ ticket, amount: '9.99', at: now, foundByReconciling: true }],
    moment,
  )
  const deals = await collect(gateway.listDeals(login, now - 60, now))
  assert.ok(
    deals.some((deal) => deal.id === ticket && deal.at === now),
    moment,
  )
  assert.deepEqual((await gateway.health()).problems, [])
}
