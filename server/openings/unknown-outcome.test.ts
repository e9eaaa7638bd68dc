// spec: MP 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  addCall,
  type Opener,
  type OpeningFixture,
  openOpeningFixture,
} from '../../tests/fixtures/trading/opening-fixture.ts'
import { addOpening } from '../../tests/fixtures/trading/platforms.ts'
import { memberActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { checkSettledOpening } from './post-settlement-check.ts'
import { listEndedOpenings } from './queries.ts'
import { settleOpening } from './settle.ts'

let setup: OpeningFixture
before(async () => {
  setup = await openOpeningFixture()
})
after(() => setup.close())
beforeEach(() => setup.clear())

describe('an unknown outcome', () => {
  const faults: { kind: FaultKind; isThere: boolean }[] = [
    { kind: 'execute-then-drop', isThere: true },
    { kind: 'execute-then-500', isThere: true },
    { kind: 'execute-then-garbage', isThere: true },
    { kind: 'fail-before', isThere: false },
    { kind: 'drop-before', isThere: false },
  ]
  for (const { kind, isThere } of faults) {
    test(`${kind}: answers with an unknown outcome, and ${isThere ? 'the account is adopted' : 'ends with nothing there'}`, async () => {
      const person = await setup.enter()
      const [before, sentBefore] = [setup.onPlatform().length, setup.sends()]
      setup.simulator.control.addFault({ path: addCall, times: 1, kind })
      const answer = await setup.openLive(person)
      assert.deepEqual(
        [answer.status, answer.body.status, answer.body.code],
        [202, 'checking', 'opening_being_checked'],
      )
      assert.deepEqual(
        (await setup.underWayOf(person)).map(({ state }) => state),
        ['checking'],
      )
      const again = await setup.openLive(person)
      assert.deepEqual([again.status, again.body.code], [409, 'opening_under_way'])
      assert.equal(await setup.processUntilEnded(person), isThere ? 'done' : 'not_opened')
      assert.equal(setup.sends(), sentBefore + 1, 'sent again')
      assert.equal(setup.onPlatform().length, before + (isThere ? 1 : 0))
      assert.deepEqual(
        (await setup.accountsOf(person)).map(({ platform_login }) => platform_login),
        isThere ? [setup.onPlatform().at(-1)] : [],
      )
      const mails = await mailsTo(setup.system, person.email)
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        [isThere ? 'Your live account was opened' : 'Your live account was not opened'],
      )
      assert.deepEqual(await setup.underWayOf(person), [])
    })
  }

  test('an account with the number of another member’s former one waits for staff', async () => {
    const former = await setup.enter()
    assert.equal((await setup.openLive(former)).status, 200)
    const [known] = await setup.accountsOf(former)
    assert.ok(known)
    setup.simulator.control.removeAccount(known.platform_login)
    const person = await setup.enter()
    const answer = await setup.openLive(person)
    assert.deepEqual(
      [answer.status, answer.body.status, setup.onPlatform().at(-1)],
      [202, 'checking', known.platform_login],
    )
    const open = (await setup.openingsOf(person)).at(-1)
    const cause = `Its number ${known.platform_login} was a former account’s: remove the new account on the platform.`
    assert.deepEqual([open?.state, open?.last_problem], ['unknown', cause])
    for (let round = 0; round < 40; round += 1) {
      setup.context.clock.advance(60_000)
      await settleOpening(setup.system, open?.opening_id ?? '')
    }
    assert.deepEqual([(await setup.openingsOf(person)).at(-1)?.state, await setup.accountsOf(person)], ['unknown', []])
    setup.simulator.control.removeAccount(known.platform_login)
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
    assert.deepEqual(await setup.accountsOf(former), [known])
    // The platform gives other accounts later numbers again.
    setup.simulator.control.seedAccounts([
      { login: known.platform_login, group: known.group_name, name: 'Back', leverage: 100 },
    ])
  })

  test('an account with the number of the member’s own former one waits for staff too', async () => {
    const person = await setup.enter()
    assert.equal((await setup.openLive(person)).status, 200)
    const [known] = await setup.accountsOf(person)
    assert.ok(known)
    setup.simulator.control.removeAccount(known.platform_login)
    setup.context.clock.advance(5 * 60_000)
    const answer = await setup.openLive(person)
    assert.deepEqual(
      [answer.status, answer.body.status, setup.onPlatform().at(-1)],
      [202, 'checking', known.platform_login],
    )
    setup.simulator.control.removeAccount(known.platform_login)
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
    assert.deepEqual(await setup.accountsOf(person), [known])
    setup.simulator.control.seedAccounts([
      { login: known.platform_login, group: known.group_name, name: 'Back', leverage: 100 },
    ])
  })

  test('a session that ended, or a slow platform: the request is sent once', async () => {
    for (const fault of [{ kind: 'close-session' as const }, { kind: 'delay' as const, ms: 100 }]) {
      const person = await setup.enter()
      const before = setup.sends()
      setup.simulator.control.addFault({ path: addCall, times: 1, ...fault })
      const answer = await setup.openLive(person)
      // A request that was not executed is answered as such or found absent; it is never sent twice.
      assert.ok([200, 202, 503].includes(answer.status), answer.raw)
      if (answer.status === 202) assert.equal(await setup.processUntilEnded(person), 'not_opened')
      assert.equal((await setup.accountsOf(person)).length, answer.status === 200 ? 1 : 0)
      assert.equal(setup.sends(), before + 1)
    }
  })

  test('finds the account after an answer past the deadline', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'late-answer', ms: 60_000 })
    assert.equal((await setup.openLive(person)).status, 202)
    assert.equal(await setup.processUntilEnded(person), 'done')
    assert.equal((await setup.accountsOf(person)).length, 1)
  })

  test('does not record as not opened before the settling time is over', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await setup.openLive(person)).status, 202)
    const id = String((await setup.openingsOf(person))[0]?.opening_id)
    for (let second = 0; second < 195; second += 15) {
      await settleOpening(setup.system, id)
      assert.equal((await setup.openingsOf(person))[0]?.state, 'unknown')
      setup.context.clock.advance(15_000)
    }
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
  })

  test('adopts an account that appears later in the post-settlement check', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'land-after', ms: 3_600_000 })
    assert.equal((await setup.openLive(person)).status, 202)
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
    const id = String((await setup.openingsOf(person))[0]?.opening_id)
    await checkSettledOpening(setup.system, id)
    assert.equal((await setup.openingsOf(person))[0]?.state, 'not_opened')
    setup.simulator.control.landPending()
    await checkSettledOpening(setup.system, id)
    assert.equal((await setup.openingsOf(person))[0]?.state, 'done')
    assert.equal((await setup.accountsOf(person)).length, 1)
  })

  test('ends as not opened only together with its post-settlement check', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await setup.openLive(person)).status, 202)
    const { jobs, database } = setup.context
    const { enqueue } = jobs
    jobs.enqueue = async (tx, queue, ...rest) => {
      if (queue === 'openings.recount') throw new Error('The process ends here.')
      await enqueue(tx, queue, ...rest)
    }
    try {
      await assert.rejects(setup.processUntilEnded(person), /ends here/)
    } finally {
      jobs.enqueue = enqueue
    }
    const [opening] = await setup.openingsOf(person)
    assert.equal(opening?.state, 'unknown')
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
    const { rowCount } = await database.pool.query(
      `select from pgboss.job where name = 'openings.recount' and data ->> 'id' = $1`,
      [opening?.opening_id],
    )
    assert.equal(rowCount, 1)
  })

  test('stays unknown while the platform is down during the look-up', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await setup.openLive(person)).status, 202)
    await setup.simulator.control.down()
    const id = String((await setup.openingsOf(person))[0]?.opening_id)
    for (let round = 0; round < 6; round++) {
      setup.context.clock.advance(61_000)
      await settleOpening(setup.system, id)
      assert.equal((await setup.openingsOf(person))[0]?.state, 'unknown')
    }
    await setup.simulator.control.up()
    assert.equal(await setup.processUntilEnded(person), 'done')
    assert.equal((await setup.accountsOf(person)).length, 1)
  })
})

test('an opening that was never sent ends while its platform is switched off, and the next one is possible', async () => {
  const enable = (enabled: boolean) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_platforms')
        .where(here)
        .set({ enabled })
        .where('platform_id', '=', setup.platformId)
        .execute(),
    )
  const person = await setup.enter()
  const id = await addOpening(setup.system, { memberId: person.id, platformId: setup.platformId })
  assert.equal((await setup.openLive(person)).body.code, 'opening_under_way')
  await enable(false)
  await settleOpening(setup.system, id)
  await enable(true)
  assert.equal((await setup.openingsOf(person))[0]?.state, 'not_executed')
  assert.equal((await mailsTo(setup.system, person.email)).length, 1)
  assert.equal((await setup.openLive(person)).status, 200)
})

describe('recently ended openings', () => {
  const endedOf = async (person: Opener): Promise<Record<string, unknown>[]> =>
    (await setup.caller.get('/members/trading/openings', person.token)).body.ended as Record<string, unknown>[]

  test('are listed with their account for a day, for their member only', async () => {
    const [person, other] = [await setup.enter(), await setup.enter()]
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await setup.openDemo(person)).status, 202)
    assert.deepEqual(await endedOf(person), [])
    assert.equal(await setup.processUntilEnded(person), 'done')
    const [ended] = await endedOf(person)
    const account = ended?.trading_account as Record<string, unknown>
    assert.deepEqual([ended?.kind, ended?.state], ['demo', 'opened'])
    assert.equal(account.platform_login, (await setup.accountsOf(person))[0]?.platform_login)
    assert.equal(account.starting_balance, '10000.00')
    assert.deepEqual(await endedOf(other), [])
    setup.context.clock.advance(limits.openingShownForMs)
    assert.deepEqual(await listEndedOpenings(await memberActor(setup.system, person.id)), [])
  })

  test('include those without an account, and omit refused ones', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code: 3006 })
    assert.equal((await setup.openLive(person)).status, 422)
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await setup.openLive(person)).status, 202)
    assert.equal(await setup.processUntilEnded(person), 'not_opened')
    assert.deepEqual(
      (await endedOf(person)).map(({ state, trading_account }) => [state, trading_account]),
      [['not_opened', null]],
    )
  })
})
