import assert from 'node:assert/strict'
import { test } from 'node:test'
import { login, startBench } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { makeIntentTag } from '../intent-tag.ts'
import { testZones } from '../zone-tests.ts'

testZones('mt5', async (options) => {
  const { gateway, time, stop } = await startBench(options)
  return { gateway, time, stop, login }
})

test('a look-up finds its deal when the configured zone is wrong by eighteen hours', async () => {
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

test('a look-up finds its deal when our clock was three days ahead at the send', async () => {
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
