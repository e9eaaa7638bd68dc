import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { askWithdrawal, openWithdrawer, settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { makePendingDeposit, readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { decideException } from '../payments/exceptions/exception-decision.ts'
import { deskExceptions } from '../payments/exceptions/exception-queries.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { approveWithdrawal, debitDemo } from '../withdrawals/withdrawal-decision.ts'
import { quoteWithdrawal } from '../withdrawals/withdrawal-quote.ts'
import { approveDeposit } from './decision.ts'
import { requestDemoDeposit } from './demo-deposit.ts'

let setup: PaymentFixture

before(async () => {
  setup = await openPaymentFixture()
})
beforeEach(() => moveTo('real\\standard-usd'))
after(() => setup.close())

const moveTo = (group_name: string, accountId = setup.accountId) =>
  inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_accounts')
      .set({ group_name })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .execute(),
  )
const moveToDemo = () => moveTo('demo\\standard-usd')

describe('a live account that the platform moved to a demo group', () => {
  it('takes no deposit, neither by transfer nor by a provider', async () => {
    await moveToDemo()
    const refusal = { details: { errors: { trading_account: [accountTexts.inDemoGroup] } } }
    await assert.rejects(makePendingDeposit(setup), refusal)
    await assert.rejects(startOrder(setup), refusal)
  })

  it('is not credited with a deposit that was requested before, until it is moved back', async () => {
    const id = await makePendingDeposit(setup)
    await moveToDemo()
    const refusal = { code: 'conflict', message: deskTexts.depositAccountInDemoGroup }
    await assert.rejects(approveDeposit(setup.staff, id), refusal)
    assert.deepEqual(await readIntents(setup, id), [])
    await moveTo('real\\standard-usd')
    await approveDeposit(setup.staff, id)
    assert.equal((await readTransaction(setup, id)).state, 'crediting')
  })

  it('is not credited with a payment that was started before, about which staff decide', async () => {
    const { order, attempt } = await startOrder(setup)
    await moveToDemo()
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const { state, staff_reason, transaction_id } = await readOrder(setup, order)
    assert.deepEqual([state, staff_reason], ['for_staff', 'account_in_demo_group'])
    assert.deepEqual(await readIntents(setup, transaction_id), [])
    const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
    const id = cases.find((each) => each.order._id === order)?._id ?? ''
    const decision = { id, decision: 'credit_agreed', note: 'As agreed', outside_reference: '' } as const
    const refusal = { code: 'conflict', message: exceptionTexts.accountInDemoGroup }
    await assert.rejects(decideException(setup.staff, decision), refusal)
    await moveTo('real\\standard-usd')
    await decideException(setup.staff, decision)
    assert.equal((await readTransaction(setup, transaction_id)).state, 'crediting')
  })
})

describe('a demo account that the platform moved to a live group', () => {
  it('is not debited without a payout, as demo funds are', async () => {
    const withdrawer = await openWithdrawer(setup, { live: false })
    const { member, accountId: trading_account } = withdrawer
    await moveTo('real\\standard-usd', trading_account)
    const refusal = { details: { errors: { trading_account: [withdrawalTexts.inDemoGroup] } } }
    await assert.rejects(askWithdrawal(withdrawer), refusal)
    const { blocks } = await quoteWithdrawal(member, { trading_account })
    assert.deepEqual(
      blocks.map(({ code }) => code),
      ['demo_group'],
    )
  })

  it('is not debited with a withdrawal that was requested before, by the program or by staff', async () => {
    const withdrawer = await openWithdrawer(setup, { live: false })
    const id = await askWithdrawal(withdrawer)
    await moveTo('real\\standard-usd', withdrawer.accountId)
    await debitDemo(setup.system, id)
    const refusal = { code: 'conflict', message: withdrawalDeskTexts.accountInDemoGroup }
    await assert.rejects(approveWithdrawal(setup.staff, id), refusal)
    assert.deepEqual([(await readTransaction(setup, id)).state, await readIntents(setup, id)], ['pending', []])
  })

  it('is not credited with demo funds that were refused before, until it is moved back', async () => {
    const { member, accountId } = await openWithdrawer(setup, { live: false, group: 'demo\\standard-usd' })
    const { _id } = await requestDemoDeposit(member, {
      ...{ trading_account: accountId, amount: '100.00', comment: '', token_key: 'transaction_deposit' },
      nonce_token: await makeUniqueToken(member, 'transaction_deposit'),
    })
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 8 })
    assert.equal(await settleLatest(setup, _id), 'pending')
    await moveTo('real\\standard-usd', accountId)
    const refusal = { code: 'conflict', message: deskTexts.depositAccountInLiveGroup }
    await assert.rejects(approveDeposit(setup.staff, _id), refusal)
    await moveTo('demo\\standard-usd', accountId)
    await approveDeposit(setup.staff, _id)
    assert.equal((await readTransaction(setup, _id)).state, 'crediting')
  })
})
