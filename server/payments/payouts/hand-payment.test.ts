import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openPaymentFixture, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { settleLatest } from '../../../tests/fixtures/payments/withdrawals.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, chooseSettings, setIdentity, staffActor } from '../../../tests/fixtures/workspaces.ts'
import type { Staff } from '../../foundation/actor.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { markPaidOut, markPayoutFailed } from './payout.ts'

let setup: PaymentFixture
let payee: Payee
let colleague: Staff

before(async () => {
  setup = await openPaymentFixture()
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
  colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
})
beforeEach(() => identity('approved'))
after(() => setup.close())

const identity = (status: Parameters<typeof setIdentity>[2]) => setIdentity(setup.system, setup.member.memberId, status)
const report = (by: Staff, id: string) => markPaidOut(by, id, 'SWIFT 4', 'Sent before that')

describe('a withdrawal that one person recorded as paid by hand', () => {
  it('needs two new records after that payment failed', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await identity('pending')
    await processLatest(setup, id)
    await report(setup.staff, id)
    await markPayoutFailed(colleague, id, 'The bank sent it back.')
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 10006 })
    assert.equal(await settleLatest(setup, id), 'paying')
    setup.context.clock.advance(1_000)
    assert.equal((await readDeskWithdrawal(colleague, id)).paid_by_hand, null)
    await report(colleague, id)
    assert.equal((await readTransaction(setup, id)).state, 'paying')
    await report(setup.staff, id)
    assert.equal((await readTransaction(setup, id)).state, 'approved')
  })
})
