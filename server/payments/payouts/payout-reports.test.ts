import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, test } from 'node:test'
import type { PayoutReason } from '@atrium/contract/payments/payouts.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  sendZotaWebhook,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
  reportPayout,
} from '../../../tests/fixtures/payments/payouts.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { listEvents } from '../../funding/queries.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { markPaidOut } from './payout.ts'
import { payByProvider } from './payout-decision.ts'
import { holdPayout, movePayout } from './payout-order.ts'
import { applyPayoutHint, applyPayoutReport } from './payout-settle.ts'

let setup: PaymentFixture
let payee: Payee

before(async () => {
  setup = await openPaymentFixture()
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
})
beforeEach(() => chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] }))
after(() => setup.close())

/** A payout that the provider has accepted. */
async function accepted(): Promise<string> {
  const id = await debitPayout(setup, 'zotapay', payee)
  assert.equal(await processLatest(setup, id), 'accepted')
  return id
}

const report = (id: string, change: Partial<StatusReport>) => reportPayout(setup, id, change)

const endsOf = async (id: string) => {
  const { state, staff_reason } = await latestPayout(setup, id)
  return [state, staff_reason, (await readTransaction(setup, id)).state]
}

const notesOf = async (id: string) =>
  (await readDeskWithdrawal(setup.staff, id)).timeline
    .filter(({ event }) => event === 'withdrawal.report-after-end')
    .map(({ note }) => note)

describe('a proven report of a payout', () => {
  it('completes the payout when it agrees in everything, and changes nothing when repeated', async () => {
    const id = await accepted()
    assert.deepEqual(await report(id, {}), { outcome: 'applied' })
    assert.deepEqual(await endsOf(id), ['paid', null, 'approved'])
    assert.deepEqual(await report(id, {}), { outcome: 'repeated' })
    assert.deepEqual(await report(id, { reference: 'another' }), { outcome: 'for_staff', why: 'second_payment' })
  })

  const differences: [why: string, change: Partial<StatusReport>][] = [
    ['account_differs', { account: 'DE02120300000000202051' }],
    ['account_differs', { account: 'DE02120300000000202051', state: 'declined' }],
    ['amount_differs', { amount: '250.01' }],
    ['amount_differs', { amount: null }],
    ['currency_differs', { currency: 'EUR' }],
    ['another_reference', { reference: 'another' }],
    ['another_reference', { reference: 'another', state: 'declined' }],
    ['unclear_word', { state: 'unclear' }],
    ['returned', { state: 'returned' }],
    ['above_limit', { manualReview: 'above_limit' }],
    ['unverified', { manualReview: 'unverified', state: 'declined' }],
  ]
  for (const [why, change] of differences)
    it(`sends the payout to manual review: ${why} of ${JSON.stringify(change)}`, async () => {
      const id = await accepted()
      const { outcome } = await report(id, change)
      assert.equal(outcome, 'for_staff')
      assert.deepEqual(await endsOf(id), ['for_staff', why, 'paying'])
      // Only a person may end it now, whatever the provider says next.
      const next = await report(id, {})
      assert.notEqual(next.outcome, 'applied')
      assert.deepEqual((await endsOf(id))[2], 'paying')
    })

  it('goes to staff when it says paid after the payout ended', async () => {
    const id = await accepted()
    await report(id, { state: 'declined' })
    assert.equal((await latestPayout(setup, id)).state, 'declined')
    assert.deepEqual(await report(id, {}), { outcome: 'for_staff', why: 'paid_after_end' })
    const { reference } = await latestPayout(setup, id)
    assert.deepEqual(await notesOf(id), [
      `The provider reports a payment after the payout had ended: APPROVED, ${reference}`,
    ])
  })

  it('is asked for when an unproven message names a payout that ended, and shows that it was paid after all', async () => {
    const id = await accepted()
    const owner = await setup.openOwner()
    const { payout_id, attempt, reference } = await latestPayout(setup, id)
    const ofIt = `from pgboss.job where name = 'payments.visit-payout' and data ->> 'id' = $1`
    for (const word of ['DECLINED', 'APPROVED']) {
      await owner.query(`delete ${ofIt}`, [payout_id])
      setup.zota.set(attempt, word)
      await sendZotaWebhook(setup, attempt)
      assert.equal((await owner.query(`select ${ofIt}`, [payout_id])).rowCount, 1, word)
      assert.equal(await processLatest(setup, id), 'declined')
    }
    assert.deepEqual(await notesOf(id), [
      `The provider reports a payment after the payout had ended: APPROVED, ${reference}`,
    ])
  })

  it('is recorded once in the history of the withdrawal when it says that a paid payout came back', async () => {
    const id = await accepted()
    await report(id, {})
    const { reference } = await latestPayout(setup, id)
    for (const state of ['returned', 'returned', 'declined'] as const)
      assert.deepEqual(await report(id, { state, word: 'REFUNDED' }), { outcome: 'for_staff', why: 'payout_returned' })
    assert.deepEqual(await notesOf(id), [
      `The provider reports that the finished payout came back: REFUNDED 250.00 USD, ${reference}`,
    ])
    assert.deepEqual(await endsOf(id), ['paid', null, 'approved'])
    const member = await reading(setup.system, (tx) => listEvents(tx, payee.member, [id]))
    assert.equal(member.at(-1)?.event, 'withdrawal.paid-out')
  })

  it('is not recorded as the return of a finished payout when the payout was never sent', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await markPaidOut(setup.staff, id, 'SWIFT 1')
    assert.deepEqual(await report(id, { state: 'returned', reference: null }), {
      outcome: 'for_staff',
      why: 'returned',
    })
    assert.deepEqual(await notesOf(id), ['The provider reports the return of a payout that ended unsent: APPROVED'])
  })
})

describe('a report that the provider has a payout which staff take for unsent', () => {
  /** For staff, unsent or unknown to the provider for this reason. */
  async function reviewed(why: string): Promise<string> {
    const id = await debitPayout(setup, 'zotapay', payee)
    const { payout_id } = await latestPayout(setup, id)
    await inTransaction(setup.system, async (tx) => {
      const held = await holdPayout(tx, setup.system, payout_id)
      assert.ok(held)
      await movePayout(tx, setup.system, held.payout, 'for_staff', { staff_reason: why as PayoutReason })
    })
    return id
  }
  const mayBeSentAgain = async (id: string) => (await readDeskWithdrawal(setup.staff, id)).may_pay_by_provider

  for (const [why, state, then] of [
    ['not_known', 'pending', 'overdue'],
    ['not_known', 'unpaid', 'overdue'],
    ['misconfigured', 'pending', 'not_sent'],
    ['unavailable', 'paid', 'not_sent'],
    ['identity_missing', 'paid', 'not_sent'],
  ] as const)
    it(`lets nobody send it a second time: ${why}, then ${state}`, async () => {
      const id = await reviewed(why)
      assert.equal(await mayBeSentAgain(id), true)
      assert.deepEqual(await report(id, { state, reference: 'ZP-1' }), { outcome: 'for_staff', why: then })
      assert.deepEqual(await endsOf(id), ['for_staff', then, 'paying'])
      assert.equal(await mayBeSentAgain(id), false)
      await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
    })

  it('is queried from the provider when its message proves nothing', async () => {
    const owner = await setup.openOwner()
    const id = await reviewed('misconfigured')
    const { payout_id, attempt } = await latestPayout(setup, id)
    const ofIt = `from pgboss.job where name = 'payments.visit-payout' and data ->> 'id' = $1`
    await owner.query(`delete ${ofIt}`, [payout_id])
    const said = { kind: 'payout', attempt, reference: null, state: 'paid', word: 'APPROVED' } as const
    const unproven = { ...said, amount: null, currency: null, reason: null }
    const hint = (canBeAsked: boolean) =>
      inTransaction(setup.system, (tx) => applyPayoutHint(tx, setup.system, payout_id, { canBeAsked, said: unproven }))
    for (const [canBeAsked, jobs] of [
      [false, 0],
      [true, 1],
    ] as const) {
      assert.deepEqual(await hint(canBeAsked), { outcome: 'noted' })
      assert.equal((await owner.query(`select ${ofIt}`, [payout_id])).rowCount, jobs)
    }
  })

  it('still ends it once the outcome of a late acceptance is known', async () => {
    const id = await reviewed('not_known')
    await report(id, { state: 'pending', reference: 'ZP-2' })
    assert.deepEqual(await report(id, { reference: 'ZP-2' }), { outcome: 'applied' })
    assert.deepEqual(await endsOf(id), ['paid', 'overdue', 'approved'])
  })

  it('stops the next attempt when the replaced one was paid after all', async () => {
    const id = await reviewed('not_known')
    const { payout_id, attempt, amount, currency } = await latestPayout(setup, id)
    await payByProvider(setup.staff, id)
    const said = { kind: 'payout', attempt, reference: 'ZP-4', state: 'paid', amount, currency } as const
    const result = await inTransaction(setup.system, (tx) =>
      applyPayoutReport(tx, setup.system, payout_id, { ...said, reason: null, word: 'APPROVED' }),
    )
    assert.deepEqual(result, { outcome: 'for_staff', why: 'paid_after_end' })
    assert.deepEqual(await endsOf(id), ['for_staff', 'not_sent', 'paying'])
    await processLatest(setup, id)
    assert.equal(setup.zota.orders.has((await latestPayout(setup, id)).attempt), false)
    await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
  })

  it('shows a payment beside the one that a colleague recorded in the history of the withdrawal', async () => {
    const id = await reviewed('recorded_paid')
    assert.deepEqual(await report(id, { reference: 'ZP-3' }), { outcome: 'for_staff', why: 'paid_after_end' })
    assert.deepEqual(await notesOf(id), ['The provider reports a payment after the payout had ended: APPROVED, ZP-3'])
  })
})

test('an accepted payout that its provider no longer knows goes to staff, who cannot have it sent again', async () => {
  const id = await accepted()
  setup.zota.orders.delete((await latestPayout(setup, id)).attempt)
  assert.equal(await processLatest(setup, id), 'accepted')
  setup.context.clock.advance(31 * 60_000)
  assert.equal(await processLatest(setup, id), 'for_staff')
  assert.deepEqual(await endsOf(id), ['for_staff', 'overdue', 'paying'])
  assert.equal((await readDeskWithdrawal(setup.staff, id)).may_pay_by_provider, false)
})

describe('a message without an outcome about a paid payout', () => {
  const hint = { kind: 'payout', reference: null, state: 'hint', amount: null, currency: null, reason: null } as const

  for (const [what, send] of [
    ['a proven one', (id: string) => report(id, { state: 'hint', word: 'EVENT' })],
    [
      'one that proves nothing',
      async (id: string) => {
        const { payout_id, attempt } = await latestPayout(setup, id)
        const said = { ...hint, attempt, word: 'EVENT' }
        return inTransaction(setup.system, (tx) =>
          applyPayoutHint(tx, setup.system, payout_id, { canBeAsked: true, said }),
        )
      },
    ],
  ] as const)
    it(`makes the program query the provider, as the money may have come back: ${what}`, async () => {
      const owner = await setup.openOwner()
      const id = await accepted()
      await report(id, {})
      const { payout_id } = await latestPayout(setup, id)
      const ofIt = `from pgboss.job where name = 'payments.visit-payout' and data ->> 'id' = $1`
      await owner.query(`delete ${ofIt}`, [payout_id])
      assert.deepEqual(await send(id), { outcome: 'noted' })
      assert.equal((await owner.query(`select ${ofIt}`, [payout_id])).rowCount, 1)
    })
})
