import assert from 'node:assert/strict'
import { testAccounts } from './account-contract-tests.ts'
import { testBalanceOperations } from './money-contract-tests.ts'
import {
  assertFailure,
  failureOf,
  moneyFor,
  type PlatformHarness,
  type PlatformTest,
  platformTestOf,
} from './platform-under-test.ts'
import { testReading } from './reading-contract-tests.ts'

/** The tests that every adapter passes against its simulator. */
export function testPlatform(name: string, start: () => Promise<PlatformHarness>): void {
  const platformTest = platformTestOf(name, start)
  testBalanceOperations(platformTest)
  testAccounts(platformTest)
  testReading(platformTest)
  testSession(platformTest)
}

function testSession(platformTest: PlatformTest): void {
  platformTest('signs in again after a lost session, for reads and for balance operations', async (harness) => {
    await harness.gateway.readAccount(harness.login)
    harness.hangUp()
    assert.equal((await harness.gateway.readAccount(harness.login)).login, harness.login)
    harness.hangUp()
    await harness.gateway.health()
    await harness.gateway.changeBalance(moneyFor(harness, { amount: '5' }))
  })

  platformTest('groups carry their currency', async (harness) => {
    const group = (await harness.gateway.listGroups()).find((one) => one.name === harness.group)
    assert.equal(group?.currencyDigits, 2)
    assert.match(group?.currency ?? '', /^[A-Z]{3}$/)
  })

  platformTest('finds one group by its exact name only', async (harness) => {
    const listed = (await harness.gateway.listGroups()).find((one) => one.name === harness.group)
    assert.deepEqual(await harness.gateway.findGroup(harness.group), listed)
    for (const name of [harness.group.toUpperCase(), 'made-up', '*', 'manager'])
      assert.equal(await harness.gateway.findGroup(name), null, name)
  })

  platformTest('is healthy, and the platform clock is within a day of ours', async (harness) => {
    const health = await harness.gateway.health()
    assert.deepEqual([health.reachable, health.authenticated, health.problems], [true, true, []])
    const { utcOffsetSeconds } = await harness.gateway.serverClock()
    assert.ok(Math.abs(utcOffsetSeconds) <= 14 * 3600)
    const capabilities = await harness.gateway.capabilities()
    assert.ok(capabilities.commentChars >= 17)
  })

  platformTest('a closed gateway refuses calls, and closing twice is a no-op', async (harness) => {
    await harness.gateway.readAccount(harness.login)
    await harness.gateway.close()
    await harness.gateway.close()
    const error = await failureOf(harness, harness.gateway.changeBalance(moneyFor(harness, {})))
    assertFailure(error, { outcome: 'not_executed', reasons: ['shutdown'], sent: false })
  })
}
