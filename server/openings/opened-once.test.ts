// spec: MP 5, MP 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Answered } from '../../tests/fixtures/caller.ts'
import {
  addCall,
  type Opener,
  type OpeningFixture,
  openOpeningFixture,
} from '../../tests/fixtures/trading/opening-fixture.ts'

let setup: OpeningFixture
before(async () => {
  setup = await openOpeningFixture()
})
after(() => setup.close())
beforeEach(() => setup.clear())

test('twenty concurrent requests, repeatedly, end exactly at the limit, here and on the platform', async () => {
  await setup.setSettings({ acc_creation_live_configuration: { account_limit: 3 } })
  const person = await setup.enter()
  const before = setup.onPlatform().length
  const answers: Answered[] = []
  for (let round = 0; round < 4; round++) {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => setup.openLive(person)))))
  }
  const opened = answers.filter(({ status }) => status === 200)
  assert.deepEqual(
    [opened.length, (await setup.accountsOf(person)).length, setup.onPlatform().length - before],
    [3, 3, 3],
  )
  for (const { status, body } of answers) {
    if (status === 200) continue
    assert.equal(status, 409)
    assert.ok(['opening_under_way', 'account_limit_reached'].includes(String(body.code)))
  }
})

/** Number of rounds, each with a new member and a limit of one account. */
const races = Number(process.env.ATRIUM_TEST_RACE_ROUNDS ?? 3)

test(`of twenty concurrent requests one succeeds and nineteen are refused, ${races} times`, async () => {
  await setup.setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
  for (let round = 0; round < races; round++) {
    const person = await setup.enter()
    const before = setup.onPlatform().length
    const answers = await Promise.all(Array.from({ length: 20 }, () => setup.openLive(person)))
    const [winner, ...losers] = answers.map(({ status }) => status).sort()
    assert.deepEqual(
      losers,
      Array.from({ length: 19 }, () => 409),
    )
    // On a busy machine the answer may exceed the deadline.
    if (winner !== 200) assert.deepEqual([winner, await setup.processUntilEnded(person)], [202, 'done'])
    assert.deepEqual([(await setup.accountsOf(person)).length, setup.onPlatform().length - before], [1, 1])
  }
})

test('two concurrent requests never open limit + 1', async () => {
  await setup.setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
  for (let round = 0; round < 20; round++) {
    const person = await setup.enter()
    const answers = await Promise.all([setup.openLive(person), setup.openLive(person)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], answers.map(({ raw }) => raw).join(' '))
    assert.equal((await setup.accountsOf(person)).length, 1)
  }
})

describe('a request with an idempotency key', () => {
  const tokenOf = async ({ token }: Opener): Promise<string> => {
    const { body } = await setup.caller.post('/members/get-unique-token', { token_key: 'account_opening' }, token)
    return String(body.token)
  }

  test('opens one account, for concurrent repeats and for one after the answer', async () => {
    const person = await setup.enter()
    const nonce_token = await tokenOf(person)
    const before = setup.sends()
    const answers = await Promise.all(Array.from({ length: 8 }, () => setup.openLive(person, { nonce_token })))
    assert.ok(answers.every(({ status }) => status === 200 || status === 202))
    const again = await setup.openLive(person, { nonce_token })
    const [account, ...others] = await setup.accountsOf(person)
    assert.deepEqual([others, setup.sends()], [[], before + 1])
    assert.equal((again.body.trading_account as { _id: string })._id, account?.account_id)
  })

  test('returns its account also while the platform is down', async () => {
    const person = await setup.enter()
    const nonce_token = await tokenOf(person)
    assert.equal((await setup.openLive(person, { nonce_token })).status, 200)
    await setup.simulator.control.down()
    const again = await setup.openLive(person, { nonce_token })
    await setup.simulator.control.up()
    setup.context.clock.advance(10_000)
    assert.equal(again.status, 200, again.raw)
  })

  test('is answered as unknown outcome, and refused once the opening ended without an account', async () => {
    const person = await setup.enter()
    const nonce_token = await tokenOf(person)
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await setup.openLive(person, { nonce_token })).status, 202)
    assert.equal((await setup.openLive(person, { nonce_token })).status, 202)
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
    const after = await setup.openLive(person, { nonce_token })
    assert.deepEqual([after.status, after.body.code], [409, 'nonce_reused'])
    assert.equal((await setup.openLive(person, { nonce_token: await tokenOf(person) })).status, 200)
  })

  test("is refused with other details, for the other kind, and with another member's key", async () => {
    const [person, other] = [await setup.enter(), await setup.enter()]
    const nonce_token = await tokenOf(person)
    assert.equal((await setup.openLive(person, { nonce_token })).status, 200)
    assert.equal((await setup.openLive(person, { nonce_token, leverage: 200 })).body.code, 'nonce_reused')
    assert.equal((await setup.openDemo(person, { nonce_token })).body.code, 'nonce_reused')
    assert.equal((await setup.openLive(other, { nonce_token })).body.code, 'nonce_unknown')
    assert.deepEqual(await setup.accountsOf(other), [])
  })

  test('stores no trace of the password with the key', async () => {
    const person = await setup.enter()
    const nonce_token = await tokenOf(person)
    const secret = 'Lantern-Quay-88'
    assert.equal((await setup.openLive(person, { nonce_token, main_password: secret })).status, 200)
    // The password is not part of the comparison: another one with the same key is the same request.
    assert.equal((await setup.openLive(person, { nonce_token, main_password: 'Other-Quay-99' })).status, 200)
    assert.equal((await setup.accountsOf(person)).length, 1)
  })
})
