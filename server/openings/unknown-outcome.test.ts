import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addCall, type Opener, type OpeningFloor, openOpeningFloor } from '../../tests/fixtures/opening-fixture.ts'
import { memberActor } from '../../tests/fixtures/workspaces.ts'
import { listEndedOpenings } from './queries.ts'
import { recountOpening } from './recount.ts'
import { settleOpening } from './settle.ts'

let floor: OpeningFloor
before(async () => {
  floor = await openOpeningFloor()
})
after(() => floor.close())
beforeEach(() => floor.clear())

describe('an outcome that is not known', () => {
  const faults: { kind: FaultKind; isThere: boolean }[] = [
    { kind: 'execute-then-drop', isThere: true },
    { kind: 'execute-then-500', isThere: true },
    { kind: 'execute-then-garbage', isThere: true },
    { kind: 'fail-before', isThere: false },
    { kind: 'drop-before', isThere: false },
  ]
  for (const { kind, isThere } of faults) {
    test(`${kind}: is said to be checked, and ${isThere ? 'the account is adopted' : 'ends with nothing there'}`, async () => {
      const person = await floor.enter()
      const [before, sentBefore] = [floor.onPlatform().length, floor.sends()]
      floor.simulator.control.addFault({ path: addCall, times: 1, kind })
      const answer = await floor.openLive(person)
      assert.deepEqual(
        [answer.status, answer.body.status, answer.body.code],
        [202, 'checking', 'opening_being_checked'],
      )
      assert.deepEqual(
        (await floor.underWayOf(person)).map(({ state }) => state),
        ['checking'],
      )
      const again = await floor.openLive(person)
      assert.deepEqual([again.status, again.body.code], [409, 'opening_under_way'])
      assert.equal(await floor.visitUntilEnded(person), isThere ? 'done' : 'not_opened')
      assert.equal(floor.sends(), sentBefore + 1, 'sent again')
      assert.equal(floor.onPlatform().length, before + (isThere ? 1 : 0))
      assert.deepEqual(
        (await floor.accountsOf(person)).map(({ platform_login }) => platform_login),
        isThere ? [floor.onPlatform().at(-1)] : [],
      )
      const mails = await mailsTo(floor.system, person.email)
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        [isThere ? 'Your live account was opened' : 'Your live account was not opened'],
      )
      assert.deepEqual(await floor.underWayOf(person), [])
    })
  }

  test('the session ended under it, or the platform taking its time: opened with the first request', async () => {
    for (const fault of [{ kind: 'close-session' as const }, { kind: 'delay' as const, ms: 100 }]) {
      const person = await floor.enter()
      const before = floor.sends()
      floor.simulator.control.addFault({ path: addCall, times: 1, ...fault })
      const answer = await floor.openLive(person)
      // What was not executed is either answered so, or found absent; nobody sends it a second time unasked.
      assert.ok([200, 202, 503].includes(answer.status), answer.raw)
      if (answer.status === 202) assert.equal(await floor.visitUntilEnded(person), 'not_opened')
      assert.equal((await floor.accountsOf(person)).length, answer.status === 200 ? 1 : 0)
      assert.equal(floor.sends(), before + 1)
    }
  })

  test('an answer after our deadline: the account is found', async () => {
    const person = await floor.enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'late-answer', ms: 60_000 })
    assert.equal((await floor.openLive(person)).status, 202)
    assert.equal(await floor.visitUntilEnded(person), 'done')
    assert.equal((await floor.accountsOf(person)).length, 1)
  })

  test('not opened is not said before the settling time is over', async () => {
    const person = await floor.enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await floor.openLive(person)).status, 202)
    const id = String((await floor.openingsOf(person))[0]?.opening_id)
    for (let second = 0; second < 195; second += 15) {
      await settleOpening(floor.system, id)
      assert.equal((await floor.openingsOf(person))[0]?.state, 'unknown')
      floor.ground.clock.advance(15_000)
    }
    assert.equal(await floor.visitUntilEnded(person), 'not_opened')
  })

  test('an account that lands after its absence was believed is adopted by the count hours later', async () => {
    const person = await floor.enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'land-after', ms: 3_600_000 })
    assert.equal((await floor.openLive(person)).status, 202)
    assert.equal(await floor.visitUntilEnded(person), 'not_opened')
    const id = String((await floor.openingsOf(person))[0]?.opening_id)
    await recountOpening(floor.system, id)
    assert.equal((await floor.openingsOf(person))[0]?.state, 'not_opened')
    floor.simulator.control.landPending()
    await recountOpening(floor.system, id)
    assert.equal((await floor.openingsOf(person))[0]?.state, 'done')
    assert.equal((await floor.accountsOf(person)).length, 1)
  })

  test('the platform away while it is looked for: stays being checked', async () => {
    const person = await floor.enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await floor.openLive(person)).status, 202)
    await floor.simulator.control.down()
    const id = String((await floor.openingsOf(person))[0]?.opening_id)
    for (let visit = 0; visit < 6; visit++) {
      floor.ground.clock.advance(61_000)
      await settleOpening(floor.system, id)
      assert.equal((await floor.openingsOf(person))[0]?.state, 'unknown')
    }
    await floor.simulator.control.up()
    assert.equal(await floor.visitUntilEnded(person), 'done')
    assert.equal((await floor.accountsOf(person)).length, 1)
  })
})

describe('what ended of late', () => {
  const endedOf = async (person: Opener): Promise<Record<string, unknown>[]> =>
    (await floor.caller.get('/members/trading/openings', person.token)).body.ended as Record<string, unknown>[]

  test('is told with its account to whoever watched it, for a day, and to nobody else', async () => {
    const [person, other] = [await floor.enter(), await floor.enter()]
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await floor.openDemo(person)).status, 202)
    assert.deepEqual(await endedOf(person), [])
    assert.equal(await floor.visitUntilEnded(person), 'done')
    const [ended] = await endedOf(person)
    const account = ended?.trading_account as Record<string, unknown>
    assert.deepEqual([ended?.kind, ended?.state], ['demo', 'opened'])
    assert.equal(account.platform_login, (await floor.accountsOf(person))[0]?.platform_login)
    assert.equal(account.starting_balance, '10000.00')
    assert.deepEqual(await endedOf(other), [])
    floor.ground.clock.advance(limits.openingToldForMs)
    assert.deepEqual(await listEndedOpenings(await memberActor(floor.system, person.id)), [])
  })

  test('says so where nothing was opened, and leaves out what was refused', async () => {
    const person = await floor.enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code: 3006 })
    assert.equal((await floor.openLive(person)).status, 422)
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await floor.openLive(person)).status, 202)
    assert.equal(await floor.visitUntilEnded(person), 'not_opened')
    assert.deepEqual(
      (await endedOf(person)).map(({ state, trading_account }) => [state, trading_account]),
      [['not_opened', null]],
    )
  })
})
