import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { ExceptionDecision } from '@atrium/contract/payments/exceptions.ts'
import { type Program, runJobs, startProgram } from '../../../tests/fixtures/database/restart.ts'
import { openPaymentFixture, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import { openPayee, openTo, type Payee, payLatest, reportPayout } from '../../../tests/fixtures/payments/payouts.ts'
import { settleLatest } from '../../../tests/fixtures/payments/withdrawals.ts'
import {
  makePendingDeposit,
  platformCredits,
  readIntents,
  readTransaction,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings, setIdentity } from '../../../tests/fixtures/workspaces.ts'
import { approveDeposit, rejectDeposit } from '../../deposits/decision.ts'
import { reading } from '../../foundation/database/database.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { findViolations } from '../../funding/ledger.ts'
import { compareSides } from '../../reconciliation/comparison.ts'
import { readSides } from '../../reconciliation/sides.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'
import { openMissingRefusals } from './refused-credit.ts'

/** The credit of a payout that came back, on a platform that fails, and in a process that is killed. */
let fixture: PaymentFixture
let program: Program<PaymentFixture>
let payee: Payee

before(async () => {
  fixture = await openPaymentFixture()
  payee = await openPayee(fixture, 'zotapay', { balance: '100000.00' })
  program = await startProgram(fixture)
})
beforeEach(() => chooseSettings(fixture, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] }))
after(async () => {
  await program.close()
  await fixture.close()
})

const setup = () => program.setup()
const casesOf = async (id: string, state: 'waiting' | 'closed' = 'waiting') =>
  (await deskExceptions.read(setup().staff, { state, limit: 100 })).cases.filter(
    ({ payout }) => payout?.withdrawal_id === id,
  )
const creditOf = async (id: string) =>
  (await casesOf(id, 'closed')).find(({ why, credited }) => why === 'payout_returned' && credited)?.credited?._id ?? ''
const decideBy = ({ staff }: PaymentFixture, id: string, decision: ExceptionDecision = 'credit_paid') =>
  decideException(staff, { id, decision, note: 'As the provider said', outside_reference: 'BANK-1' })

async function returned() {
  const id = await payLatest(setup(), { ...payee, member: { ...payee.member, context: setup().context } })
  await reportPayout(setup(), id, { state: 'returned', word: 'RETURNED' })
  return { id, asked: (await casesOf(id))[0]?._id ?? '' }
}
async function dealsOf(credited: string): Promise<string[]> {
  return (await readIntents(setup(), credited)).flatMap(({ tag }) =>
    platformCredits(fixture, tag).map(({ amount }) => amount),
  )
}
const refuseNext = () =>
  fixture.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 8 })

async function refused() {
  const { id, asked } = await returned()
  await decideBy(setup(), asked)
  const credited = await creditOf(id)
  refuseNext()
  await settleLatest(setup(), credited)
  assert.equal((await readTransaction(setup(), credited)).state, 'pending')
  return { id, credited }
}

describe('the credit of a payout that came back', () => {
  it('is verified after an unknown outcome and executed once', async () => {
    const { id, asked } = await returned()
    await decideBy(setup(), asked)
    const credited = await creditOf(id)
    fixture.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
    await program.settle('it is credited', async () => (await readTransaction(setup(), credited)).state === 'approved')
    assert.deepEqual([(await readIntents(setup(), credited)).length, await dealsOf(credited)], [1, ['250.00']])
    assert.deepEqual(await findViolations(setup().system), [])
    const now = setup().context.clock.now().getTime()
    const span = { from: new Date(now - 86_400_000), to: new Date(now + 86_400_000) }
    const sides = await reading(setup().system, (tx) => readSides(tx, setup().system, '2000-01-01', span))
    const sum = compareSides(sides).sums.find(({ method, type }) => method === 'psp:zotapay' && type === 'deposit')
    assert.deepEqual([sum?.portal, sum?.provider], ['250', '250'])
  })

  for (const failpoint of ['intent.before-lease', 'intent.before-call', 'intent.called'] as const)
    it(`is executed once by the next process after a kill at ${failpoint}`, async () => {
      const { id, asked } = await returned()
      await program.killAt(failpoint, async (doomed) => {
        await decideBy(doomed, asked)
        await runJobs(doomed)
      })
      await assert.rejects(decideBy(setup(), asked), { code: 'illegal_move' })
      const credited = await creditOf(id)
      await program.settle(
        'it is credited',
        async () => (await readTransaction(setup(), credited)).state === 'approved',
      )
      assert.deepEqual(await dealsOf(credited), ['250.00'])
    })

  it('becomes an exception when the platform refuses it, which ends with a recorded payment', async () => {
    const { id, credited } = await refused()
    await assert.rejects(cancelTransaction({ ...payee.member, context: setup().context }, credited), {
      code: 'illegal_move',
    })
    await assert.rejects(rejectDeposit(setup().staff, credited, { reason: 'other' }), { code: 'illegal_move' })
    const [asked, ...more] = await casesOf(id)
    assert.deepEqual(
      [asked?.why, asked?.paid, asked?.deposit._id, asked?.creditable.credit_paid, more],
      ['credit_refused', '250.00', credited, null, []],
    )
    await openMissingRefusals(setup().system)
    assert.equal((await casesOf(id)).length, 1)
    await decideBy(setup(), asked?._id ?? '', 'given_back')
    assert.equal((await readTransaction(setup(), credited)).state, 'rejected')
    await reportPayout(setup(), id, { state: 'returned', word: 'RETURNED', amount: '30.00' })
    assert.equal((await casesOf(id))[0]?.creditable.credit_paid, null)
  })

  it('is credited by another approval after a refusal', async () => {
    const { id, credited } = await refused()
    await approveDeposit(setup().staff, credited)
    assert.deepEqual(await casesOf(id), [])
    await settleLatest(setup(), credited)
    assert.deepEqual(
      [(await readTransaction(setup(), credited)).state, await dealsOf(credited)],
      ['approved', ['250.00']],
    )
  })

  it('is listed even if a process of the previous version recorded the refusal', async () => {
    const { id, credited } = await refused()
    const owner = await fixture.openOwner()
    await owner.query(`delete from payment_cases where why = 'credit_refused' and state <> 'closed'`)
    await owner.query('delete from payment_credits where transaction_id = $1', [credited])
    for (let round = 0; round < 2; round++) await openMissingRefusals(setup().system)
    assert.deepEqual(
      (await casesOf(id)).map(({ why, deposit }) => [why, deposit._id]),
      [['credit_refused', credited]],
    )
  })
})

describe('the room for deposits before the identity is approved', () => {
  const setRoom = (above: string) =>
    chooseSettings(fixture, {
      ...{ withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] },
      deposit_needs_identity_above: [{ currency: 'USD', above }],
    })
  const setStatus = (status: 'approved' | 'pending') => setIdentity(fixture.system, payee.member.memberId, status)
  const deposit = (amount: string) =>
    makePendingDeposit({ ...setup(), member: { ...fixture.member, context: setup().context } }, amount)
  afterEach(() => setStatus('approved'))

  it('is not used by the credit, which two decisions at once make once', async () => {
    await setRoom('1000')
    const { id, asked } = await returned()
    const decisions = await Promise.allSettled([decideBy(setup(), asked), decideBy(setup(), asked)])
    assert.deepEqual(decisions.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await settleLatest(setup(), await creditOf(id))
    await setStatus('pending')
    const tries = await Promise.allSettled([deposit('600.00'), deposit('600.00')])
    assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await deposit('400.00')
    await assert.rejects(deposit('0.01'), { code: 'invalid_input' })
  })

  it('does not stop the credit from being approved again after a refusal', async () => {
    await setRoom('100')
    const { credited } = await refused()
    await setStatus('pending')
    await approveDeposit(setup().staff, credited)
    await settleLatest(setup(), credited)
    assert.equal((await readTransaction(setup(), credited)).state, 'approved')
  })
})
