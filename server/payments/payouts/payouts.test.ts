// spec: AO 9, OP factors
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { withdrawalClosures, withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { mailsTo } from '../../../tests/fixtures/mailbox.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  sendZotaWebhook,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { switchProvider } from '../../../tests/fixtures/payments/payment-providers.ts'
import {
  askPayout,
  debitPayout,
  fieldsOf,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
  readPayouts,
} from '../../../tests/fixtures/payments/payouts.ts'
import {
  openWithdrawer,
  provenMember,
  settleLatest,
  withdrawalInputOf,
} from '../../../tests/fixtures/payments/withdrawals.ts'
import { readIntents, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, chooseSettings, provenStaff, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { Refusal } from '../../foundation/errors.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { lockMember, unlockMember } from '../../members/lock.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { requestWithdrawal } from '../../withdrawals/withdrawal.ts'
import { approveWithdrawal } from '../../withdrawals/withdrawal-decision.ts'
import { quoteWithdrawal } from '../../withdrawals/withdrawal-quote.ts'
import { connectProvider } from '../connections/desk-connection.ts'
import { findProvider, readProvider } from '../connections/provider.ts'
import { deskWebhookEvents } from '../desk-webhook-events.ts'
import { markPaidOut, markPayoutFailed } from './payout.ts'
import { payByProvider } from './payout-decision.ts'
import { readPayoutToStart } from './payout-details.ts'
import { callLeaseMs, holdPayout, movePayout } from './payout-order.ts'
import { processDuePayouts } from './process-payout.ts'

let setup: PaymentFixture
let payee: Payee
const usual = { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay'), openTo('safecharge')] }

before(async () => {
  setup = await openPaymentFixture()
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
})
beforeEach(async () => {
  await chooseSettings(setup, usual)
  setup.zota.mend()
})
after(() => setup.close())

const debited = () => debitPayout(setup, 'zotapay', payee)
const stateOf = async (id: string) => (await readTransaction(setup, id)).state

describe('a payout', () => {
  it('is created with the debit and not sent before', async () => {
    const calls = setup.zota.payoutCalls()
    const id = await askPayout('zotapay', payee)
    assert.deepEqual(await readPayouts(setup, id), [])
    const paid = await debited()
    assert.equal((await latestPayout(setup, paid)).state, 'created')
    assert.equal(setup.zota.payoutCalls(), calls)
  })

  it('is sent once, however many workers process it', async () => {
    const id = await debited()
    const { payout_id } = await latestPayout(setup, id)
    const calls = setup.zota.payoutCalls()
    await Promise.all([processLatest(setup, id), processLatest(setup, id), processLatest(setup, id)])
    assert.equal(setup.zota.payoutCalls(), calls + 1)
    assert.equal((await readPayouts(setup, id)).filter((each) => each.payout_id === payout_id).length, 1)
  })

  it('sends the provider the IP address of the request', async () => {
    const member = { ...payee.member, address: '203.0.113.40' }
    const { payout_id } = await latestPayout(setup, await debitPayout(setup, 'zotapay', { ...payee, member }))
    const wanted = await inTransaction(setup.system, async (tx) => {
      const held = await holdPayout(tx, setup.system, payout_id)
      assert.ok(held)
      const provider = await readProvider(tx, setup.system, held.payout.provider_id)
      return readPayoutToStart(tx, setup.system, held, provider)
    })
    assert.equal(wanted.payer.ip, '203.0.113.40')
  })

  it('is left alone during the lease of another process, and queried afterwards', async () => {
    const id = await debited()
    const { system } = setup
    await inTransaction(system, async (tx) => {
      const held = await holdPayout(tx, system, (await latestPayout(setup, id)).payout_id)
      assert.ok(held)
      const sent_at = setup.context.clock.now()
      const next_look_at = new Date(sent_at.getTime() + callLeaseMs)
      await movePayout(tx, system, held.payout, 'sending', { sends: 1, sent_at, next_look_at })
    })
    const calls = setup.zota.payoutCalls()
    setup.context.clock.advance(callLeaseMs - 1_000)
    assert.equal(await processLatest(setup, id), 'sending')
    setup.context.clock.advance(1_000)
    assert.equal(await processLatest(setup, id), 'checking')
    assert.equal(setup.zota.payoutCalls(), calls)
  })

  it('goes to staff, unsent, if its beneficiary was changed after the approvals', async () => {
    const own = await openPayee(setup, 'zotapay', { balance: '1000.00' })
    const calls = setup.zota.payoutCalls()
    const later = () => new Date(setup.context.clock.now().getTime() + 1)
    // The second change does not show in the words of the withdrawal.
    for (const change of [() => ({ iban_number: 'DE89370400440532013000' }), () => ({ usable_from: later() })]) {
      const id = await debitPayout(setup, 'zotapay', own)
      await inTransaction(setup.system, (tx) =>
        tx
          .updateTable('bank_accounts')
          .set(change())
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('bank_account_id', '=', own.bankId)
          .execute(),
      )
      assert.equal(await processLatest(setup, id), 'for_staff')
      assert.equal((await latestPayout(setup, id)).staff_reason, 'beneficiary_changed')
      assert.equal((await readDeskWithdrawal(setup.staff, id)).may_pay_by_provider, false)
      await assert.rejects(payByProvider(setup.staff, id), { message: withdrawalDeskTexts.beneficiaryChanged })
      await markPayoutFailed(setup.staff, id, 'Another account')
      assert.equal((await latestPayout(setup, id)).state, 'dropped')
    }
    assert.equal(setup.zota.payoutCalls(), calls)
  })

  it('goes to staff, unsent, while its member is locked, who can have it paid after unlocking', async () => {
    const id = await debited()
    const calls = setup.zota.payoutCalls()
    const { memberId } = payee.member
    const paidByHand = await debited()
    await lockMember(setup.staff, memberId, 'Asked for it')
    const refusal = { message: withdrawalClosures.member_locked }
    await assert.rejects(markPaidOut(setup.staff, paidByHand, 'SWIFT 1'), refusal)
    for (const each of [id, paidByHand]) assert.equal(await processLatest(setup, each), 'for_staff')
    assert.equal((await latestPayout(setup, id)).staff_reason, 'member_locked')
    await assert.rejects(payByProvider(setup.staff, id), refusal)
    await markPaidOut(setup.staff, paidByHand, 'SWIFT 1')
    assert.deepEqual(
      [await stateOf(paidByHand), (await latestPayout(setup, paidByHand)).state],
      ['approved', 'dropped'],
    )
    assert.equal(setup.zota.payoutCalls(), calls)
    await unlockMember(await provenStaff(setup.system, await addStaff(setup.system)), memberId)
    payee = { ...payee, member: await provenMember(setup) }
    await payByProvider(setup.staff, id)
    assert.equal(await processLatest(setup, id), 'accepted')
  })

  it('goes to staff, unsent, while its provider is switched off', async () => {
    const id = await debited()
    const calls = setup.zota.payoutCalls()
    await switchProvider(setup.system, 'zotapay', false)
    assert.equal(await processLatest(setup, id), 'for_staff')
    const { staff_reason, problem } = await latestPayout(setup, id)
    assert.deepEqual([staff_reason, problem], ['misconfigured', withdrawalDeskTexts.providerOff])
    assert.equal(setup.zota.payoutCalls(), calls)
    const refusal = { code: 'conflict', message: withdrawalDeskTexts.providerOff }
    await assert.rejects(payByProvider(setup.staff, id), refusal)
    await switchProvider(setup.system, 'zotapay', true)
    await payByProvider(setup.staff, id)
    assert.equal(await processLatest(setup, id), 'accepted')
  })

  it('is retried automatically only while nothing was sent', async () => {
    const id = await debited()
    const due = await latestPayout(setup, id)
    assert.equal(await processLatest(setup, id), 'accepted')
    setup.context.clock.advance(6 * 60_000)
    assert.ok((await processDuePayouts(setup.system)) >= 1)
    assert.equal((await latestPayout(setup, id)).sends, due.sends + 1)
  })
})

describe('staff and a payout', () => {
  it('cannot mark a payout as paid or failed while the provider has it', async () => {
    const id = await debited()
    await processLatest(setup, id)
    await assert.rejects(markPaidOut(setup.staff, id, 'SWIFT 1'), { code: 'illegal_move' })
    await assert.rejects(markPayoutFailed(setup.staff, id, 'Sent back'), { code: 'illegal_move' })
    await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
    assert.equal(await stateOf(id), 'paying')
  })

  it('can pay it by hand before anything was sent, and then nothing is sent', async () => {
    const calls = setup.zota.payoutCalls()
    const id = await debited()
    await markPaidOut(setup.staff, id, 'SWIFT 2')
    assert.equal(await processLatest(setup, id), 'dropped')
    assert.deepEqual([await stateOf(id), setup.zota.payoutCalls()], ['approved', calls])
  })

  it('can retry under a new attempt id when the provider does not know it', async () => {
    const id = await debited()
    setup.zota.breakDown({ isDown: true })
    await processLatest(setup, id)
    setup.zota.mend()
    await processLatest(setup, id)
    setup.context.clock.advance(31 * 60_000)
    assert.equal(await processLatest(setup, id), 'for_staff')
    const shown = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual([shown.may_pay_by_provider, shown.payouts[0]?.why], [true, 'not_known'])
    await payByProvider(setup.staff, id)
    await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
    const [first, second] = await readPayouts(setup, id)
    assert.deepEqual([first?.state, second?.state], ['dropped', 'created'])
    assert.notEqual(first?.attempt, second?.attempt)
    assert.equal(await processLatest(setup, id), 'accepted')
  })

  it('cannot retry when its connection was changed, which may ask another merchant account', async () => {
    const id = await debited()
    setup.zota.breakDown({ isDown: true })
    await processLatest(setup, id)
    setup.zota.mend()
    await processLatest(setup, id)
    const change = async (part: Record<string, string>) => {
      const provider = await reading(setup.system, (tx) => findProvider(tx, setup.system, 'zotapay'))
      const { provider_id = '', version = 0 } = provider ?? {}
      const settings = { ...setup.zota.settings, ...part }
      const administrator = await provenStaff(setup.system, await addStaff(setup.system))
      await connectProvider(administrator, { id: provider_id, version, settings })
    }
    await change({ acknowledgement: 'DONE' })
    setup.context.clock.advance(31 * 60_000)
    assert.equal(await processLatest(setup, id), 'for_staff')
    const shown = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual([shown.may_pay_by_provider, shown.payouts[0]?.why], [false, 'no_answer'])
    await change({})
  })

  it('start each payout where the workspace requires it', async () => {
    await chooseSettings(setup, { ...usual, withdrawal_rules: [openTo('zotapay', { started_by_staff: true })] })
    const id = await debited()
    assert.deepEqual(await readPayouts(setup, id), [])
    await payByProvider(setup.staff, id)
    assert.equal(await processLatest(setup, id), 'accepted')
  })

  it('are refused with another role or in another workspace', async () => {
    const id = await debited()
    await assert.rejects(payByProvider({ ...setup.staff, role: 'viewer' }, id), { code: 'not_permitted' })
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere-payouts' })
    const otherStaff = staffActor(elsewhere, await addStaff(elsewhere))
    await assert.rejects(payByProvider(otherStaff, id), { code: 'not_found' })
  })
})

describe('simultaneous decisions', () => {
  it('two approvals and a cancellation: exactly one succeeds, with at most one payout', async () => {
    const second = staffActor(setup.system, await addStaff(setup.system))
    for (let round = 0; round < 12; round++) {
      const id = await askPayout('zotapay', payee, '10.00')
      const calls = setup.zota.payoutCalls()
      const acts = [
        () => approveWithdrawal(setup.staff, id),
        () => cancelTransaction(payee.member, id),
        () => approveWithdrawal(second, id),
      ]
      // The order changes from round to round.
      const turned = [...acts.slice(round % 3), ...acts.slice(0, round % 3)]
      const ends = await Promise.allSettled(turned.map((act) => act()))
      for (const end of ends)
        if (end.status === 'rejected') assert.ok(end.reason instanceof Refusal, String(end.reason))
      assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1)
      if ((await stateOf(id)) === 'cancelled') {
        assert.deepEqual([await readIntents(setup, id), await readPayouts(setup, id)], [[], []])
        continue
      }
      await settleLatest(setup, id)
      assert.equal((await readPayouts(setup, id)).length, 1)
      assert.equal(await processLatest(setup, id), 'accepted')
      assert.equal(setup.zota.payoutCalls(), calls + 1)
    }
  })

  it('marking as paid during the provider call: exactly one of the two happens', async () => {
    for (let round = 0; round < 6; round++) {
      const id = await debited()
      const calls = setup.zota.payoutCalls()
      const mark = () => markPaidOut(setup.staff, id, `SWIFT ${round}`)
      const processOnce = () => processLatest(setup, id)
      const [marked] = await Promise.allSettled(
        round % 2 === 0 ? [mark(), processOnce()] : [processOnce().then(mark), processOnce()],
      )
      const isMarked = marked?.status === 'fulfilled'
      assert.equal(setup.zota.payoutCalls() - calls, isMarked ? 0 : 1)
      assert.equal(await stateOf(id), isMarked ? 'approved' : 'paying')
    }
  })
})

describe('a withdrawal to a provider', () => {
  const asks = async (change: Parameters<typeof withdrawalInputOf>[1]) =>
    fieldsOf(requestWithdrawal(payee.member, await withdrawalInputOf(payee, change)))

  it('is offered where the workspace has enabled it, in currencies with payouts', async () => {
    const ask = (trading_account: string) => quoteWithdrawal(payee.member, { trading_account })
    const names = (found: Awaited<ReturnType<typeof ask>>) => found.providers.map(({ destination }) => destination)
    assert.deepEqual(names(await ask(payee.accountId)), ['psp:safecharge', 'psp:zotapay'])
    await chooseSettings(setup, { withdrawal_rules: [] })
    assert.deepEqual(names(await ask(payee.accountId)), [])
    assert.ok('destination' in ((await asks({ destination: 'psp:zotapay' })) as object))
    await chooseSettings(setup, usual)
    const pounds = await openWithdrawer(setup, { currency: 'GBP', group: 'real\\standard-usd' })
    assert.deepEqual(names(await ask(pounds.accountId)), [])
  })

  it('requires the details that the provider needs', async () => {
    assert.deepEqual(Object.keys((await asks({ destination: 'psp:zotapay', destination_id: undefined })) as object), [
      'destination_id',
    ])
    assert.deepEqual(Object.keys((await asks({ destination: 'psp:nobody' })) as object), ['destination'])
    // This member has not paid through it yet, so it has no source to return to.
    assert.deepEqual(
      Object.keys((await asks({ destination: 'psp:safecharge', destination_id: undefined })) as object),
      ['destination'],
    )
  })

  it('is named by its webhook events at the desk, which are found by its numbers', async () => {
    const id = await debited()
    await processLatest(setup, id)
    const { attempt, reference } = await latestPayout(setup, id)
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const found = async (q: string) => (await deskWebhookEvents.read(setup.staff, { q, limit: 10 })).notifications
    const { ticket } = await readTransaction(setup, id)
    for (const q of [attempt, String(reference)])
      assert.deepEqual(
        (await found(q)).map(({ order, payout }) => [order, payout]),
        [[null, { attempt, withdrawal_id: id, ticket: String(ticket) }]],
      )
    assert.deepEqual(await found('x'), [])
  })

  it('sends the member one mail per event', async () => {
    const before = (await mailsTo(setup.system, setup.signIn.email)).length
    const id = await debited()
    await processLatest(setup, id)
    const { attempt } = await latestPayout(setup, id)
    setup.zota.set(attempt, 'DECLINED', 'Account closed')
    for (let time = 0; time < 2; time++) await sendZotaWebhook(setup, attempt)
    await processLatest(setup, id)
    assert.equal(await settleLatest(setup, id), 'rejected')
    const mails = (await mailsTo(setup.system, setup.signIn.email)).slice(before)
    const subjects = mails.map(({ subject }) => subject.replace(/T-\d+/, 'T').replace(/ \(.*/, ''))
    assert.deepEqual(subjects, [
      'Withdrawal T was requested',
      'Withdrawal T was approved',
      'Withdrawal T could not be paid',
    ])
    assert.ok(mails.every(({ text }) => !text.includes('DE89370400440532013000')))
  })
})
