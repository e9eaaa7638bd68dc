import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeOf } from '../../../tests/fixtures/refusal-code.ts'
import { openServedFixture, type ServedFixture } from '../../../tests/fixtures/served-fixture.ts'
import {
  fixtureLogin,
  makePendingDeposit,
  platformCredits,
  readIntents,
  readTransaction,
  usualTiming,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { approveDeposit } from '../../deposits/decision.ts'
import { reading } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import { settleIntent } from './crediting.ts'
import { lookUpAgain } from './stuck-credit.ts'

let setup: ServedFixture
before(async () => {
  setup = await openServedFixture()
})
after(() => setup.close())

type Stuck = { depositId: string; intentId: string; tag: string }

/** A credit whose answer was lost while the history shows an operation of another amount. */
async function makeStuck(amount = '249.99'): Promise<Stuck> {
  const depositId = await makePendingDeposit(setup)
  await approveDeposit(setup.staff, depositId)
  const [intent] = await readIntents(setup, depositId)
  assert.ok(intent)
  const stuck = { depositId, intentId: intent.intent_id, tag: intent.tag }
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
  await settleIntent(setup.system, stuck.intentId)
  addOperation(stuck, amount)
  setup.context.clock.advance(5_000)
  await settleIntent(setup.system, stuck.intentId)
  assert.equal(await stateOf(stuck), 'stuck')
  return stuck
}

function addOperation({ tag }: Stuck, amount: string): void {
  setup.simulator.control.addLedger(fixtureLogin, { amount, atMs: Date.now(), comment: `${tag} Deposit` })
}

async function stateOf({ depositId }: Stuck): Promise<string | undefined> {
  return (await readIntents(setup, depositId))[0]?.state
}

/** Runs the steps that the queue would run over time. */
async function processUntil(stuck: Stuck, state: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    if ((await stateOf(stuck)) === state) return
    await settleIntent(setup.system, stuck.intentId)
    setup.context.clock.advance(40_000)
  }
  assert.equal(await stateOf(stuck), state)
}

function takeTagAway({ tag }: Stuck): void {
  for (const { deal } of platformCredits(setup, tag)) setup.simulator.control.recomment(deal, 'Corrected')
}

async function assertCreditedOnce({ depositId, tag }: Stuck): Promise<void> {
  const deals = platformCredits(setup, tag)
  assert.deepEqual(
    deals.map(({ amount }) => amount),
    ['250.00'],
  )
  const deposit = await readTransaction(setup, depositId)
  assert.deepEqual([deposit.state, deposit.platform_ticket], ['approved', deals[0]?.deal])
}

test('a repeated look-up completes the deposit once the history is correct', async () => {
  const stuck = await makeStuck()
  takeTagAway(stuck)
  addOperation(stuck, '250.00')
  await lookUpAgain(setup.staff, stuck.depositId)
  assert.equal(await stateOf(stuck), 'unknown')
  await settleIntent(setup.system, stuck.intentId)
  assert.equal(await stateOf(stuck), 'done')
  await assertCreditedOnce(stuck)
})

test('a history that is still ambiguous makes it stuck again', async () => {
  const stuck = await makeStuck()
  await lookUpAgain(setup.staff, stuck.depositId)
  await settleIntent(setup.system, stuck.intentId)
  assert.equal(await stateOf(stuck), 'stuck')
  assert.equal((await readTransaction(setup, stuck.depositId)).state, 'checking')
})

test('absence must be proven again before anything is resent', async () => {
  const stuck = await makeStuck()
  takeTagAway(stuck)
  setup.context.clock.advance(usualTiming.settleMs)
  await lookUpAgain(setup.staff, stuck.depositId)
  await settleIntent(setup.system, stuck.intentId)
  assert.equal(await stateOf(stuck), 'unknown')
  assert.equal(platformCredits(setup, stuck.tag).length, 0)
  await processUntil(stuck, 'done')
  await assertCreditedOnce(stuck)
})

test('one of several simultaneous requests succeeds, and the audit log names its staff member', async () => {
  const stuck = await makeStuck()
  const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(lookUpAgain(setup.staff, stuck.depositId))))
  assert.deepEqual(codes.sort(), ['done', ...Array(4).fill('illegal_move')])
  const entries = await reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'before'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('subject_id', '=', stuck.intentId)
      .where('actor_kind', '=', 'staff')
      .execute(),
  )
  assert.deepEqual(entries, [{ action: 'intent.unknown', actor_id: setup.staff.staffId, before: { state: 'stuck' } }])
  // An unknown outcome blocks the account's other credits.
  await processUntil(stuck, 'stuck')
})

test('refuses an intent that is not stuck', async () => {
  const pending = await makePendingDeposit(setup)
  assert.equal(await codeOf(lookUpAgain(setup.staff, pending)), 'illegal_move')
  await approveDeposit(setup.staff, pending)
  assert.equal(await codeOf(lookUpAgain(setup.staff, pending)), 'illegal_move')
  const [intent] = await readIntents(setup, pending)
  await settleIntent(setup.system, intent?.intent_id ?? '')
  assert.equal(await codeOf(lookUpAgain(setup.staff, pending)), 'illegal_move')
  assert.equal((await readTransaction(setup, pending)).state, 'approved')
})

test('refuses roles without the right to decide money and hides deposits from staff of another workspace', async () => {
  const stuck = await makeStuck()
  for (const role of ['viewer', 'support', 'compliance']) {
    const actor = staffActor(setup.system, await addStaff(setup.system, { role }))
    assert.equal(await codeOf(lookUpAgain(actor, stuck.depositId)), 'not_permitted')
  }
  const elsewhere = await addWorkspace(setup.context)
  const foreign = staffActor(elsewhere, await addStaff(elsewhere))
  for (const id of [stuck.depositId, newId()]) assert.equal(await codeOf(lookUpAgain(foreign, id)), 'not_found')
  assert.equal(await stateOf(stuck), 'stuck')
})

test('over HTTP: answers the deposit in its new state, then 409', async () => {
  const stuck = await makeStuck()
  const path = `/desk/api/deposits/${stuck.depositId}/look-again`
  assert.equal((await setup.caller.post(path)).status, 401)
  const member = await setup.caller.signIn(setup.signIn)
  assert.equal((await setup.caller.post(path, {}, member)).status, 401)
  const token = await setup.caller.signIn(setup.staffSignIn, 'desk')
  const { status, body } = await setup.caller.post(path, {}, token)
  const { crediting } = body.deposit as { crediting: { state: string } }
  assert.deepEqual([status, crediting.state], [200, 'unknown'])
  const again = await setup.caller.post(path, {}, token)
  assert.deepEqual([again.status, again.body.code], [409, 'illegal_move'])
})
