import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FaultKind } from '../../../simulators/metatrader/faults.ts'
import { type Mt4Fixture, mt4Login, openMt4Fixture } from '../../../tests/fixtures/trading/mt4-fixture.ts'
import {
  type Approved,
  approveOne,
  processUntilSettled,
  readIntents,
  readTransaction,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { settleIntent } from './crediting.ts'
import { settleStuck } from './stuck-outcome.ts'

let setup: Mt4Fixture

before(async () => {
  setup = await openMt4Fixture()
})
after(() => setup.close())
beforeEach(() => {
  setup.simulator.control.clearFaults()
  setup.simulator.control.resetSwitches()
})

const bookings = 'POST /v1/accounts/{login}/balance-operations'

async function assertCreditedOnce(approved: Approved): Promise<void> {
  const rows = setup.simulator.control.rowsWithComment(approved.tag)
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    ['250.00'],
  )
  const deposit = await readTransaction(setup, approved.depositId)
  assert.deepEqual([deposit.state, deposit.platform_ticket], ['approved', rows[0]?.order])
}

test('an approved deposit credits the MT4 account once, and its ticket is the MT4 order', async () => {
  const before = Number(setup.simulator.control.account(mt4Login)?.balance)
  const approved = await approveOne(setup)
  await Promise.all(Array.from({ length: 10 }, () => settleIntent(setup.system, approved.intentId)))
  await assertCreditedOnce(approved)
  assert.equal(Number(setup.simulator.control.account(mt4Login)?.balance), before + 250)
})

describe('an approved deposit, with a faulty bridge or platform', () => {
  const faults: { kind: FaultKind; note: string; code?: number; ms?: number }[] = [
    { kind: 'fail-before', note: 'answers 500 without acting' },
    { kind: 'drop-before', note: 'hangs up without acting' },
    { kind: 'execute-then-drop', note: 'acts and hangs up' },
    { kind: 'execute-then-500', note: 'acts and answers 500' },
    { kind: 'execute-then-garbage', note: 'acts and answers garbage' },
    { kind: 'close-session', note: 'has lost its connection to the platform' },
    { kind: 'late-answer', note: 'acts and answers after our deadline', ms: 60_000 },
    { kind: 'answer-code', note: 'asks for a pause', code: 8 },
    { kind: 'answer-code', note: 'cannot tell what became of it', code: 128 },
  ]
  for (const { note, ...fault } of faults) {
    test(note, async () => {
      setup.simulator.control.addFault({ path: bookings, times: 2, ...fault })
      const approved = await approveOne(setup)
      await processUntilSettled(setup, approved)
      await assertCreditedOnce(approved)
    })
  }

  test('is credited once when the bridge crashes repeatedly after executing and before recording it', async () => {
    setup.simulator.control.setSwitches({ forgetsKeys: true })
    setup.simulator.control.addFault({ path: bookings, times: 3, kind: 'execute-then-drop' })
    const approved = await approveOne(setup)
    await processUntilSettled(setup, approved)
    await assertCreditedOnce(approved)
  })

  test('is credited once when the connection to the platform is stale during the look-up', async () => {
    setup.simulator.control.addFault({ path: bookings, times: 1, kind: 'execute-then-drop' })
    const approved = await approveOne(setup)
    await settleIntent(setup.system, approved.intentId)
    setup.simulator.control.setSwitches({ stale: true, forgetsKeys: true })
    await processUntilSettled(setup, approved)
    await assertCreditedOnce(approved)
  })

  test('is not resent while the platform is unreachable for an hour, and is credited once', async () => {
    const { control } = setup.simulator
    control.addFault({ path: bookings, times: 1, kind: 'execute-then-drop' })
    const approved = await approveOne(setup)
    await settleIntent(setup.system, approved.intentId)
    control.setSwitches({ stale: true, connected: false, forgetsKeys: true })
    const sends = () => control.calls().filter(({ call }) => call === bookings).length
    const before = sends()
    for (let round = 0; round < 30; round++) {
      setup.context.clock.advance(120_000)
      await settleIntent(setup.system, approved.intentId)
    }
    assert.equal(sends(), before)
    control.resetSwitches()
    await processUntilSettled(setup, approved)
    await assertCreditedOnce(approved)
  })
})

test('is for two people to settle, and not verified for ever, when the account is deleted before the look-up', async () => {
  setup.simulator.control.addFault({ path: bookings, times: 1, kind: 'drop-before' })
  const approved = await approveOne(setup)
  await settleIntent(setup.system, approved.intentId)
  setup.simulator.control.removeAccount(mt4Login)
  const stateOf = async () => (await readIntents(setup, approved.depositId))[0]?.state
  for (let round = 0; round < 20 && (await stateOf()) !== 'stuck'; round++) {
    setup.context.clock.advance(40_000)
    await settleIntent(setup.system, approved.intentId)
  }
  assert.equal(await stateOf(), 'stuck')
  assert.equal((await readTransaction(setup, approved.depositId)).state, 'checking')
  const colleague = staffActor(setup.system, await addStaff(setup.system))
  for (const staff of [setup.staff, colleague])
    await settleStuck(staff, approved.depositId, 'deposit', { outcome: 'not_executed', reason: 'Not in their report' })
  await settleIntent(setup.system, approved.intentId)
  assert.equal(await stateOf(), 'rejected')
  assert.equal((await readTransaction(setup, approved.depositId)).state, 'pending')
})
