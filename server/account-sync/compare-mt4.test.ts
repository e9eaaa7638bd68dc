import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { type Mt4Fixture, mt4Login, openMt4Fixture } from '../../tests/fixtures/trading/mt4-fixture.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { comparePlatform } from './compare.ts'

let setup: Mt4Fixture
before(async () => {
  setup = await openMt4Fixture()
  const groups = JSON.stringify([{ name: 'real-usd', alias: 'Standard' }])
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .where(here)
      .set({ groups })
      .where('platform_id', '=', setup.platformId)
      .execute(),
  )
})
after(() => setup.close())

async function compareForAnHour(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    await comparePlatform(setup.system, setup.platformId)
    setup.context.clock.advance(10 * 60_000)
  }
}

const isArchived = async (): Promise<boolean> => {
  const account = await reading(setup.system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .where(here)
      .select('archived')
      .where('platform_login', '=', mt4Login)
      .executeTakeFirstOrThrow(),
  )
  return account.archived
}

test('archives no account over an idle connection or a bridge that lost its platform', async () => {
  const { control } = setup.simulator
  for (const switches of [{ stale: true }, { stale: true, connected: false }]) {
    for (let round = 0; round < 4; round += 1) {
      control.setSwitches(switches)
      await comparePlatform(setup.system, setup.platformId)
      setup.context.clock.advance(10 * 60_000)
    }
    assert.equal(await isArchived(), false)
    control.resetSwitches()
  }
  await compareForAnHour()
  assert.equal(await isArchived(), false)
})

test('archives an account that the platform removed while others remain', async () => {
  setup.simulator.control.seedAccounts([{ login: '400777', group: 'real-usd', name: 'Another', leverage: 100 }])
  setup.simulator.control.removeAccount(mt4Login)
  await compareForAnHour()
  assert.equal(await isArchived(), true)
})
