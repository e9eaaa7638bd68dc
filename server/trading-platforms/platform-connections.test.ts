import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { resealWorkspace } from '../foundation/resealing.ts'
import { makeSeal, type Seal } from '../foundation/secrets.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

const otherKey = 'another-key-0123456789-abcdefghijklmnop'

async function connection() {
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  assert.ok(link)
  await link.gateway.serverClock()
  return { gateway: link.gateway, openedAt: link.openedAt }
}

/** Reseals as another process would, without the knowledge of this one's connections. */
async function reseal(seal: Seal): Promise<void> {
  const done = await resealWorkspace({ ...setup.system, context: { ...setup.context, seal } })
  assert.deepEqual(done, { sealed_anew: 1, unreadable: 0 })
}

async function changeSecret(managerPassword: string): Promise<void> {
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('platform_connections')
      .where(here)
      .set({ sealed_secret: setup.context.seal.seal(JSON.stringify({ managerPassword })) })
      .execute(),
  )
}

test('a connection survives a reseal of its secret with another key, and ends when the secret changes', async () => {
  const { context } = setup
  const { secretKey } = context.config
  context.seal = makeSeal(secretKey, [otherKey])
  const first = await connection()
  context.clock.advance(60_000)
  for (const seal of [makeSeal(otherKey, [secretKey]), makeSeal(secretKey, [otherKey])]) {
    await reseal(seal)
    const now = await connection()
    assert.equal(now.gateway, first.gateway)
    assert.deepEqual(now.openedAt, first.openedAt)
  }
  await changeSecret('Another-Secret-99')
  const link = await context.platforms.link(setup.system, setup.platformId)
  assert.notEqual(link?.gateway, first.gateway)
  assert.deepEqual(link?.openedAt, context.clock.now())
  // Calls on the earlier gateway fail, because it is closed.
  await assert.rejects(first.gateway.serverClock())
})
