import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { refusalOf } from '../../../tests/fixtures/payments/withdrawals.ts'
import { addAccount } from '../../../tests/fixtures/trading/platforms.ts'
import { readIntents, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, memberActor } from '../../../tests/fixtures/workspaces.ts'
import { personalData } from '../../domains.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { eraseMember } from '../../members/personal-data/erasure.ts'
import { askProvider } from '../reconciliation.ts'
import { insertTransaction } from '../transaction.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'

let setup: PaymentFixture
let payer: PaymentFixture
let nextNumber = 900_100
let number: string

before(async () => {
  setup = await openPaymentFixture()
})
after(() => setup.close())
beforeEach(async () => {
  nextNumber += 1
  number = String(nextNumber)
  const { memberId } = await addMember(setup.system, { customer_number: number })
  const member = await memberActor(setup.system, memberId)
  const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
  payer = { ...setup, member, accountId }
})

const erase = (data = personalData) =>
  eraseMember(setup.staff, payer.member.memberId, { reason: 'Asked for it', customer_number: number }, data)
const stateOf = async (order: string) => {
  const { state, staff_reason } = await readOrder(setup, order)
  return [state, staff_reason]
}
const assertNotErased = async () => {
  const { code, message } = await refusalOf(erase())
  assert.deepEqual([code, message], ['illegal_move', deskTexts.memberHasPayments])
}
async function reports(attempt: string, state: string): Promise<void> {
  setup.zota.set(attempt, state)
  await sendZotaWebhook(setup, attempt)
}

describe('a member with money at a provider', () => {
  it('is not erased while an order can be paid or a payment is undecided', async () => {
    const { order, attempt } = await startOrder(payer)
    await cancelTransaction(payer.member, (await readOrder(setup, order)).transaction_id)
    await assertNotErased()
    setup.context.clock.advance(61 * 60_000)
    await askProvider(setup.system, order)
    await reports(attempt, 'APPROVED')
    assert.equal((await stateOf(order))[0], 'for_staff')
    await assertNotErased()
    const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
    const id = cases.find((each) => each.order._id === order)?._id ?? ''
    await decideException(setup.staff, { id, decision: 'given_back', note: 'Left', outside_reference: 'BANK-1' })
    await erase()
  })

  it('is not erased if a payment or a deposit is recorded while the erasure runs', async () => {
    const meanwhile = (work: () => Promise<unknown>) => ({
      ...personalData,
      steps: {
        ...personalData.steps,
        before: async (...given: Parameters<typeof personalData.steps.before>) => {
          await personalData.steps.before(...given)
          await work()
        },
      },
    })
    const { attempt } = await startOrder(payer)
    await reports(attempt, 'DECLINED')
    const paid = meanwhile(async () => {
      await sendZotaWebhook(setup, attempt, { amount: '99.00', status: 'APPROVED' })
    })
    assert.equal((await refusalOf(erase(paid))).message, deskTexts.memberHasPayments)
    const number = String(nextNumber + 1_000)
    const { memberId } = await addMember(setup.system, { customer_number: number })
    const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
    const wanted = { memberId, accountId, amount: '10.00', currency: 'USD', uid: 'zotapay', comment: '' }
    const askedAt = setup.context.clock.now()
    const late = meanwhile(() =>
      inTransaction(setup.system, (tx) => insertTransaction(tx, setup.system, { ...wanted, askedAt })),
    )
    const erasing = eraseMember(setup.staff, memberId, { reason: 'Asked for it', customer_number: number }, late)
    assert.equal((await refusalOf(erasing)).message, deskTexts.memberHasOpenMoney)
  })

  it('is not credited after the erasure without a decision', async () => {
    const { order, attempt } = await startOrder(payer)
    await reports(attempt, 'DECLINED')
    const { transaction_id } = await readOrder(setup, order)
    await erase()
    await reports(attempt, 'APPROVED')
    assert.deepEqual(await stateOf(order), ['for_staff', 'member_erased'])
    assert.deepEqual(
      [(await readTransaction(setup, transaction_id)).state, await readIntents(setup, transaction_id)],
      ['rejected', []],
    )
    assert.equal((await readOrder(setup, order)).transaction_id, transaction_id)
  })
})
