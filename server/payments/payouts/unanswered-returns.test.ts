import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  openPaymentFixture,
  type PaymentFixture,
  sendZotaWebhook,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  payLatest,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { provenMember } from '../../../tests/fixtures/payments/withdrawals.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { pauseAt } from '../../foundation/failpoint.ts'
import { deskExceptions } from '../exceptions/exception-queries.ts'
import { applyPayoutHint } from './payout-settle.ts'
import { processDuePayouts } from './process-payout.ts'

const minute = 60_000
const day = 24 * 60 * minute

let setup: PaymentFixture
let payee: Payee

before(async () => {
  setup = await openPaymentFixture()
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
})
beforeEach(async () => {
  setup.zota.mend()
  payee = { ...payee, member: await provenMember(setup) }
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
})
after(() => setup.close())

const casesOf = async (id: string) =>
  (await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })).cases
    .filter(({ payout }) => payout?.withdrawal_id === id)
    .map(({ why, paid }) => [why, paid])
const waitsSince = async (id: string) => (await latestPayout(setup, id)).return_reported_at

/** A paid payout about which a message says that it was declined, while its provider is away. */
async function unanswered(): Promise<string> {
  const id = await payLatest(setup, payee)
  const { attempt } = await latestPayout(setup, id)
  setup.zota.set(attempt, 'DECLINED', 'Account closed')
  await sendZotaWebhook(setup, attempt)
  setup.zota.breakDown({ isDown: true })
  assert.equal(await processLatest(setup, id), 'paid')
  assert.deepEqual(await casesOf(id), [])
  return id
}

/** Runs what is due for this payout. Returns whether it was. */
async function processDue(id: string): Promise<boolean> {
  const { looks } = await latestPayout(setup, id)
  await processDuePayouts(setup.system)
  const isDue = (await latestPayout(setup, id)).looks > looks
  if (isDue) await processLatest(setup, id)
  return isDue
}

describe('a message about a paid payout whose provider does not answer', () => {
  it('keeps the payout due until the provider answers, and not after that', async () => {
    const id = await unanswered()
    assert.equal(await processDue(id), false)
    for (let round = 0; round < 2; round++) {
      setup.context.clock.advance(10 * minute)
      assert.equal(await processDue(id), true)
    }
    assert.deepEqual(await casesOf(id), [])
    setup.zota.mend()
    setup.context.clock.advance(10 * minute)
    assert.equal(await processDue(id), true)
    assert.deepEqual(await casesOf(id), [['payout_returned', '250.00']])
    assert.equal(await waitsSince(id), null)
    setup.context.clock.advance(day)
    assert.equal(await processDue(id), false)
  })

  for (const status of ['PENDING', 'SOMETHING_NEW'])
    it(`is not answered by a status that does not say where the money is: ${status}`, async () => {
      const id = await unanswered()
      const { attempt } = await latestPayout(setup, id)
      setup.zota.mend()
      setup.zota.set(attempt, status)
      setup.context.clock.advance(10 * minute)
      assert.equal(await processDue(id), true)
      assert.notEqual(await waitsSince(id), null)
      setup.zota.set(attempt, 'DECLINED', 'Account closed')
      setup.context.clock.advance(10 * minute)
      assert.equal(await processDue(id), true)
      assert.deepEqual(await casesOf(id), [['payout_returned', '250.00']])
      assert.equal(await waitsSince(id), null)
    })

  it('goes to staff after a week without an answer', async () => {
    const id = await unanswered()
    setup.context.clock.advance(6 * day)
    await processDue(id)
    assert.deepEqual(await casesOf(id), [])
    setup.context.clock.advance(day)
    await processDue(id)
    assert.deepEqual(await casesOf(id), [['payout_unproven', null]])
    assert.equal(await waitsSince(id), null)
  })

  it('is answered by an answer to itself only, if another one came meanwhile', async () => {
    const id = await unanswered()
    const { payout_id, attempt } = await latestPayout(setup, id)
    setup.context.clock.advance(10 * minute)
    setup.zota.mend()
    const { reached, resume } = pauseAt('payout-order.asked')
    const asking = processLatest(setup, id)
    await reached
    setup.context.clock.advance(minute)
    const said = { attempt, reference: null, amount: null, currency: null, reason: null, word: 'EVENT' }
    await inTransaction(setup.system, (tx) =>
      applyPayoutHint(tx, setup.system, payout_id, { canBeAsked: true, said: { ...said, state: 'hint' } }),
    )
    resume()
    await asking
    assert.notEqual(await waitsSince(id), null)
    await processLatest(setup, id)
    assert.equal(await waitsSince(id), null)
  })
})
