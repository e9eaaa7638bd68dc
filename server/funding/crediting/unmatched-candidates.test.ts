import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type Approved,
  approveOne,
  fixtureLogin,
  openTradingFixture,
  platformCredits,
  processUntilSettled,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { settleIntent } from './crediting.ts'
import { lookUpAgain } from './stuck-credit.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
beforeEach(() => setup.simulator.control.clearFaults())

let cents = 10
/** An amount that no other test of this file uses. */
function nextAmount(): string {
  cents += 1
  return `61.${cents}`
}

async function intentOf({ depositId }: Approved) {
  const [intent] = await readIntents(setup, depositId)
  assert.ok(intent)
  return intent
}

async function sendInto(kind: 'execute-then-drop' | 'drop-before', amount = nextAmount()) {
  const approved = await approveOne(setup, amount)
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind })
  await settleIntent(setup.system, approved.intentId)
  assert.equal((await intentOf(approved)).state, 'unknown')
  return { ...approved, amount }
}

async function processUntilStuck(approved: Approved): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    if ((await intentOf(approved)).state === 'stuck') return
    await settleIntent(setup.system, approved.intentId)
    setup.context.clock.advance(40_000)
  }
  assert.fail('It never became stuck')
}

const sends = () => setup.simulator.control.calls().filter(({ path }) => path === '/api/trade/balance').length
const book = (amount: string, comment: string) =>
  setup.simulator.control.addLedger(fixtureLogin, { amount, atMs: Date.now(), comment })
const operationsOf = (amount: string) =>
  setup.simulator.control.ledger(fixtureLogin).filter((deal) => deal.amount === amount)

describe('a dealer’s edit of the comment while the outcome is unknown', () => {
  for (const edited of ['', 'Corrected by dealer', 'A0000000000000000', 'a7q2 deposit']) {
    test(`makes the intent stuck, and nothing is resent: "${edited}"`, async () => {
      const approved = await sendInto('execute-then-drop')
      const [deal] = platformCredits(setup, approved.tag)
      setup.simulator.control.recomment(deal?.deal ?? '', edited)
      setup.simulator.control.clearCalls()
      await processUntilStuck(approved)
      const intent = await intentOf(approved)
      assert.deepEqual(intent.look_alikes, [deal?.deal])
      assert.match(intent.last_problem ?? '', new RegExp(`operation ${deal?.deal}\\.`))
      assert.equal((await readTransaction(setup, approved.depositId)).state, 'checking')
      assert.equal(sends(), 0)
      assert.equal(operationsOf(approved.amount).length, 1)

      // Staff restore the comment, and the look-up finds the deal.
      setup.simulator.control.recomment(deal?.deal ?? '', `${approved.tag} Deposit`)
      await lookUpAgain(setup.staff, approved.depositId)
      await processUntilSettled(setup, approved)
      assert.equal((await intentOf(approved)).ticket, deal?.deal)
      assert.equal(operationsOf(approved.amount).length, 1)
    })
  }
})

test('a manual booking of the same amount makes it stuck; it is sent once staff say that the booking is unrelated', async () => {
  const approved = await sendInto('drop-before')
  book(approved.amount, 'Bonus of the month')
  await processUntilStuck(approved)
  await lookUpAgain(setup.staff, approved.depositId)
  await processUntilSettled(setup, approved)
  assert.equal((await readTransaction(setup, approved.depositId)).state, 'approved')
  assert.equal(platformCredits(setup, approved.tag).length, 1)
  // A later candidate needs a new decision.
  assert.equal(operationsOf(approved.amount).length, 2)
})

test('two candidates make it stuck and both are named', async () => {
  const approved = await sendInto('drop-before')
  book(approved.amount, 'By hand')
  book(approved.amount, 'By another hand')
  await processUntilStuck(approved)
  assert.equal((await intentOf(approved)).look_alikes.length, 2)
})

test('a deal of another intent is no candidate, whatever its comment', async () => {
  const amount = nextAmount()
  const first = await approveOne(setup, amount)
  await settleIntent(setup.system, first.intentId)
  const [deal] = platformCredits(setup, first.tag)
  setup.simulator.control.recomment(deal?.deal ?? '', 'Edited')
  const second = await sendInto('drop-before', amount)
  await processUntilSettled(setup, second)
  assert.equal((await readTransaction(setup, second.depositId)).state, 'approved')
  assert.equal(operationsOf(amount).length, 2)
})

test('another amount, another direction and an older operation are no candidates', async () => {
  const amount = nextAmount()
  const aDayAgo = setup.context.clock.now().getTime() - 86_400_000 // By the portal's clock, which dated the send.
  setup.simulator.control.addLedger(fixtureLogin, { amount, atMs: aDayAgo, comment: 'Yesterday' })
  const approved = await sendInto('drop-before', amount)
  book('61.99', 'By hand')
  book(`-${amount}`, 'Taken back')
  await processUntilSettled(setup, approved)
  assert.equal((await readTransaction(setup, approved.depositId)).state, 'approved')
  assert.equal(platformCredits(setup, approved.tag).length, 1)
})

test('a deleted account proves nothing: it becomes stuck, and nothing is sent or decided', async () => {
  const approved = await sendInto('execute-then-drop')
  setup.simulator.control.removeAccount(fixtureLogin)
  setup.simulator.control.clearCalls()
  await processUntilStuck(approved)
  assert.ok((await intentOf(approved)).account_gone_at)
  assert.equal((await readTransaction(setup, approved.depositId)).state, 'checking')
  assert.equal(sends(), 0)
})
