import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { fixtureLogin, openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { resealWorkspace } from '../foundation/resealing.ts'
import { makeSeal, type Seal } from '../foundation/secrets.ts'
import { serve } from '../start.ts'
import type { TradingGateway } from './contract.ts'

let setup: TradingFixture
before(async () => {
  // Longer than a busy machine needs to end a hanging call by itself.
  setup = await openTradingFixture({ readMs: 60_000 })
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

const rightSecret = 'Test-Manager-1'
const isOpen = (): boolean => setup.context.platforms.circuitState(setup.system, setup.platformId) !== null

/** As another process or a command changes it: this process is not told. */
const switchPlatform = (enabled: boolean) =>
  inTransaction(setup.system, (tx) => tx.updateTable('trading_platforms').where(here).set({ enabled }).execute())

/** A read that the platform never answers. */
async function hangOn(gateway: TradingGateway): Promise<{ ended: Promise<unknown> }> {
  const { control } = setup.simulator
  control.clearCalls()
  control.addFault({ path: '/api/user/get', times: 1, kind: 'delay', ms: 3_600_000 })
  const ended = gateway.readAccount(fixtureLogin).then(
    () => 'answered',
    ({ reason }) => reason,
  )
  await eventually('the call hangs', async () => control.calls().some(({ path }) => path === '/api/user/get'))
  return { ended }
}

test('every process ends the connection of a disabled or changed platform by itself, with its running calls', async () => {
  await changeSecret(rightSecret)
  const { context } = setup
  const config = { ...context.config, port: 0, host: '127.0.0.1', roles: { web: false, jobs: false } }
  const { stop } = await serve({ ...context, config })
  try {
    for (const [change, back] of [
      [() => switchPlatform(false), () => switchPlatform(true)],
      [() => changeSecret('Another-Secret-98'), () => changeSecret(rightSecret)],
    ] as const) {
      const { gateway } = await connection()
      const { ended } = await hangOn(gateway)
      await change()
      assert.equal(await ended, 'shutdown')
      assert.equal(isOpen(), false)
      await assert.rejects(gateway.serverClock(), { reason: 'shutdown' })
      await back()
    }
  } finally {
    await stop()
  }
})

test('a connection stays while its platform does, and when it was opened from a newer row than was read', async () => {
  const { platforms } = setup.context
  const { gateway } = await connection()
  await platforms.endStale()
  await gateway.serverClock()
  await switchPlatform(false)
  const ending = platforms.endStale()
  await switchPlatform(true)
  await ending
  await connection()
  await platforms.endStale('00000000-0000-4000-8000-000000000000')
  assert.equal(isOpen(), true)
})
