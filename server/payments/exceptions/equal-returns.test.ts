import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { openPaymentFixture, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import { openPayee, openTo, type Payee, payLatest, reportPayout } from '../../../tests/fixtures/payments/payouts.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, chooseSettings, staffActor } from '../../../tests/fixtures/workspaces.ts'
import type { Staff } from '../../foundation/actor.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'
import { reportReturnedTransfer } from './returned-transfer.ts'

let setup: PaymentFixture
let payee: Payee
let id: string
let colleague: Staff

before(async () => {
  setup = await openPaymentFixture()
  colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
})
beforeEach(async () => {
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
  id = await payLatest(setup, payee)
})
after(() => setup.close())

const report = (change: Partial<StatusReport> = {}) =>
  reportPayout(setup, id, { state: 'returned', word: 'RETURNED', amount: '100.00', ...change })
const casesOf = async (state: 'waiting' | 'closed') =>
  (await deskExceptions.read(setup.staff, { state, limit: 100 })).cases.filter(
    ({ payout }) => payout?.withdrawal_id === id,
  )
const credit = async () => {
  const [asked] = await casesOf('waiting')
  await decideException(setup.staff, {
    ...{ id: asked?._id ?? '', decision: 'credit_paid', note: 'As the provider said', outside_reference: '' },
  })
}
const doubts = async () =>
  (await readDeskWithdrawal(setup.staff, id)).timeline.filter(({ note }) => note?.includes('ask whether it is another'))

describe('two returns of the same amount of one payout', () => {
  for (const [what, one, other] of [
    ['own references', { reference: 'REFUND-1' }, { reference: 'REFUND-2' }],
    ['times', { paidAt: '2026-11-29 10:00' }, { paidAt: '2026-11-29 11:00' }],
  ] as const)
    it(`are two by their ${what}, each once, before and after a decision`, async () => {
      for (const change of [one, other, one, other]) await report(change)
      assert.equal((await casesOf('waiting')).length, 2)
      await credit()
      await credit()
      for (const change of [one, other])
        assert.deepEqual(await report(change), { outcome: 'repeated', why: 'payout_returned' })
      assert.deepEqual([(await casesOf('closed')).length, await doubts()], [2, []])
    })

  it('count as one where a report has neither, and staff are told once', async () => {
    await report()
    assert.deepEqual(await doubts(), [])
    await report()
    assert.equal((await doubts()).length, 1)
    await credit()
    await report()
    assert.deepEqual([(await casesOf('waiting')).length, (await doubts()).length], [0, 1])
  })

  it('count as one where only one of the reports tells its own', async () => {
    await report()
    await report({ reference: 'REFUND-1' })
    assert.equal((await casesOf('waiting')).length, 1)
    await credit()
    assert.deepEqual(await report({ reference: 'REFUND-1' }), { outcome: 'repeated', why: 'payout_returned' })
  })

  it('are in no doubt if all of it came back', async () => {
    for (let times = 0; times < 2; times++) await report({ amount: '250.00' })
    assert.deepEqual(await doubts(), [])
  })
})

describe('another return that only staff know of', () => {
  const again = (change: { amount?: string; reference?: string; by?: Staff } = {}) => {
    const { amount = '100.00', reference = 'PROVIDER-2', by = setup.staff } = change
    return reportReturnedTransfer(by, id, { amount, reference, reason: 'As the provider confirmed' })
  }
  const offered = async () => {
    const { returnable, is_returned_again } = await readDeskWithdrawal(setup.staff, id)
    return [returnable, is_returned_again]
  }
  const decide = (by: Staff, exception: string) =>
    decideException(by, { id: exception, decision: 'credit_paid', note: 'It is another one', outside_reference: '' })

  it('is credited by two people, whatever the amount', async () => {
    await report()
    await report()
    await credit()
    assert.deepEqual(await offered(), ['150.00', true])
    await again()
    const [asked, ...more] = await casesOf('waiting')
    assert.deepEqual([asked?.why, asked?.creditable.credit_paid, more], ['payout_returned_again', '100.00', []])
    assert.equal(asked?.creditable.people_needed, 2)
    await decide(setup.staff, asked?._id ?? '')
    await assert.rejects(decide(setup.staff, asked?._id ?? ''), { code: 'illegal_move' })
    assert.equal((await casesOf('closed')).length, 1)
    await decide(colleague, asked?._id ?? '')
    const credited = (await casesOf('closed')).map((each) => each.credited?._id ?? '')
    const amounts = await Promise.all(credited.map((each) => readTransaction(setup, each)))
    assert.deepEqual(
      amounts.map(({ amount, state }) => [amount, state]),
      [
        ['100.00', 'crediting'],
        ['100.00', 'crediting'],
      ],
    )
    assert.deepEqual(await offered(), ['50.00', true])
    await assert.rejects(again({ amount: '50.00' }), {
      details: { errors: { reference: [withdrawalDeskTexts.returnKnown] } },
    })
  })

  it('is reported of a payout that came back before, at most what is left, once', async () => {
    assert.deepEqual(await offered(), [null, false])
    await assert.rejects(again(), { code: 'illegal_move', message: withdrawalDeskTexts.notPaidByHand })
    await report()
    await assert.rejects(again({ amount: '150.01' }), { code: 'invalid_input' })
    const twice = await Promise.allSettled([again(), again({ by: colleague })])
    assert.deepEqual(twice.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await casesOf('waiting')).length, 2)
    assert.deepEqual(await offered(), ['50.00', true])
  })

  it('is the one that the provider reports later under the same reference, unless it was explained', async () => {
    await report({ reference: 'REFUND-1' })
    await credit()
    await again({ reference: 'REFUND-2' })
    const [asked] = await casesOf('waiting')
    assert.deepEqual(await report({ reference: 'REFUND-2' }), { outcome: 'for_staff', why: 'payout_returned' })
    assert.equal((await casesOf('waiting')).length, 1)
    for (const by of [setup.staff, colleague]) await decide(by, asked?._id ?? '')
    assert.deepEqual(await report({ reference: 'REFUND-2' }), { outcome: 'repeated', why: 'payout_returned' })
    assert.deepEqual([await casesOf('waiting'), await offered()], [[], ['50.00', true]])

    await again({ reference: 'REFUND-3', amount: '50.00' })
    const [slip] = await casesOf('waiting')
    for (const by of [setup.staff, colleague])
      await decideException(by, {
        ...{ id: slip?._id ?? '', decision: 'explained', note: 'The provider reports it', outside_reference: '' },
      })
    await report({ reference: 'REFUND-3', amount: '50.00' })
    assert.deepEqual(
      (await casesOf('waiting')).map(({ why }) => why),
      ['payout_returned'],
    )
  })

  it('is none that the provider reported under that reference', async () => {
    await report({ reference: 'REFUND-1' })
    await credit()
    await assert.rejects(again({ reference: 'REFUND-1' }), {
      details: { errors: { reference: [withdrawalDeskTexts.returnKnown] } },
    })
    await again({ reference: '1' })
    assert.equal((await casesOf('waiting')).length, 1)
  })
})
