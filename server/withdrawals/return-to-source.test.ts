// spec: AO 9
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { changeSettings, switchProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import {
  askPayout,
  debitPayout,
  fieldsOf,
  latestPayout,
  openPayee,
  openTo,
  processLatest,
  reportPayout,
} from '../../tests/fixtures/payments/payouts.ts'
import { settleLatest, withdrawalInputOf } from '../../tests/fixtures/payments/withdrawals.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { readProvider } from '../payments/connections/provider.ts'
import { decideException } from '../payments/exceptions/exception-decision.ts'
import { deskExceptions } from '../payments/exceptions/exception-queries.ts'
import { reportReturnedTransfer } from '../payments/exceptions/returned-transfer.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { isBeneficiaryChanged, readPayoutToStart } from '../payments/payouts/payout-details.ts'
import { holdPayout } from '../payments/payouts/payout-order.ts'
import { refusalOf } from './return-to-source.ts'
import { requestWithdrawal } from './withdrawal.ts'
import { quoteWithdrawal } from './withdrawal-quote.ts'

let setup: PaymentFixture
const usual = { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay'), openTo('safecharge')] }

before(async () => {
  setup = await openPaymentFixture()
})
beforeEach(async () => {
  await chooseSettings(setup, usual)
  setup.zota.mend()
})
after(() => setup.close())

const stateOf = async (id: string) => (await readTransaction(setup, id)).state

describe('return to source', () => {
  const returning = { ...usual, withdrawal_return_to_source: true }

  async function paidIn(accountId: string, amount: string): Promise<void> {
    const { attempt, order } = await startOrder(setup, { trading_account: accountId, amount })
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const { transaction_id } = await readOrder(setup, order)
    await settleDeposit(transaction_id)
  }
  async function settleDeposit(id: string): Promise<void> {
    for (let round = 0; round < 20 && (await stateOf(id)) !== 'approved'; round++) {
      for (const { intent_id } of await readIntents(setup, id)) await settleIntent(setup.system, intent_id)
      setup.context.clock.advance(40_000)
    }
    assert.equal(await stateOf(id), 'approved')
  }

  it('is required to the cent before any other withdrawal', async () => {
    const owner = { ...(await openPayee(setup, 'zotapay', { balance: '500.00' })) }
    await paidIn(owner.accountId, '100.10')
    await paidIn(owner.accountId, '50.20')
    await chooseSettings(setup, returning)
    const toBank = async (amount: string) => requestWithdrawal(owner.member, await withdrawalInputOf(owner, { amount }))
    const share = async () =>
      (await quoteWithdrawal(owner.member, { trading_account: owner.accountId })).return_to_source
    assert.deepEqual(
      (await share()).map(({ source, amount, is_returnable }) => [source, amount, is_returnable]),
      [['zotapay', '150.30', true]],
    )
    assert.deepEqual(await fieldsOf(toBank('10.00')), {
      destination: [
        'Deposits are returned to their source first: 150.30 USD to Zota. Withdraw that amount there first, then the rest here.',
      ],
    })
    const asked = { trading_account: owner.accountId, amount: '10.00', destination: 'bank_account' }
    const { blocks } = await quoteWithdrawal(owner.member, asked)
    assert.ok(blocks.some(({ code }) => code === 'return_first'))
    await askPayout('zotapay', owner, '150.29')
    assert.deepEqual(
      (await share()).map(({ amount }) => amount),
      ['0.01'],
    )
    assert.ok('destination' in ((await fieldsOf(toBank('10.00'))) as object))
    await askPayout('zotapay', owner, '0.01')
    assert.deepEqual(await share(), [])
    assert.equal((await toBank('10.00')).status, 'pending')
  })

  it('is required of a deposit that the platform may have credited, while its answer is missing', async () => {
    const owner = { ...(await openPayee(setup, 'zotapay', { balance: '500.00' })) }
    await chooseSettings(setup, returning)
    const { attempt, order } = await startOrder(setup, { trading_account: owner.accountId, amount: '30.00' })
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    assert.equal(await stateOf((await readOrder(setup, order)).transaction_id), 'crediting')
    assert.deepEqual(
      await fieldsOf(requestWithdrawal(owner.member, await withdrawalInputOf(owner, { amount: '10.00' }))),
      {
        destination: [
          'Deposits are returned to their source first: 30.00 USD to Zota. Withdraw that amount there first, then the rest here.',
        ],
      },
    )
  })

  it('waits for a misconfigured provider, which staff are alerted of, and the money goes nowhere else meanwhile', async () => {
    const owner = await openPayee(setup, 'zotapay', { balance: '500.00' })
    await paidIn(owner.accountId, '20.00')
    await chooseSettings(setup, returning)
    const toBank = async () => requestWithdrawal(owner.member, await withdrawalInputOf(owner, { amount: '10.00' }))
    const { baseUrl = '' } = setup.zota.settings
    await changeSettings(setup.system, 'zotapay', { baseUrl: 'no address' })
    assert.deepEqual(await fieldsOf(toBank()), {
      destination: [
        'Deposits are returned to their source first: 20.00 USD to Zota, which makes no payments at the moment. Please contact support.',
      ],
    })
    const asked = { trading_account: owner.accountId, amount: '10.00', destination: 'bank_account' }
    const { blocks, return_to_source: shares } = await quoteWithdrawal(owner.member, asked)
    assert.deepEqual(
      blocks.map(({ code }) => code),
      ['return_blocked'],
    )
    assert.deepEqual(
      shares.map(({ why }) => why),
      [withdrawalTexts.returnsBlocked],
    )
    assert.deepEqual(await fieldsOf(askPayout('zotapay', owner, '20.00')), {
      destination: [withdrawalTexts.methodBlocked],
    })
    const counted = await setup.context.metrics.registry.getSingleMetricAsString('atrium_payments_manual_review_total')
    assert.match(counted, /provider="zotapay",why="provider_misconfigured"/)
    const later = { source: 'zotapay', amount: '20.00', is_returnable: true, why: withdrawalTexts.returnsLater }
    const going = { destination: 'bank_account', amount: '10.00', currency: 'USD' }
    assert.equal(refusalOf([later], going)?.code, 'return_later')
    await changeSettings(setup.system, 'zotapay', { baseUrl })
    await askPayout('zotapay', owner, '20.00')
    assert.equal((await toBank()).status, 'pending')
  })

  it('counts a failed return again, and does not bind to a provider without payouts', async () => {
    const owner = { ...(await openPayee(setup, 'zotapay', { balance: '500.00' })) }
    await paidIn(owner.accountId, '20.00')
    await chooseSettings(setup, returning)
    const share = async () =>
      (await quoteWithdrawal(owner.member, { trading_account: owner.accountId })).return_to_source
    setup.zota.refuseStarts('No')
    const id = await debitPayout(setup, 'zotapay', owner, '20.00')
    assert.deepEqual(await share(), [])
    await processLatest(setup, id)
    await settleLatest(setup, id)
    assert.deepEqual(
      (await share()).map(({ amount }) => amount),
      ['20.00'],
    )
    await switchProvider(setup.system, 'zotapay', false)
    assert.deepEqual(
      (await share()).map(({ is_returnable }) => is_returnable),
      [false],
    )
    const made = await requestWithdrawal(owner.member, await withdrawalInputOf(owner, { amount: '10.00' }))
    assert.equal(made.status, 'pending')
    await switchProvider(setup.system, 'zotapay', true)
  })

  it('counts a return that staff paid by hand again, once its transfer came back', async () => {
    const owner = await openPayee(setup, 'zotapay', { balance: '500.00' })
    await paidIn(owner.accountId, '20.00')
    await chooseSettings(setup, returning)
    const share = async () =>
      (await quoteWithdrawal(owner.member, { trading_account: owner.accountId })).return_to_source.map(
        ({ source, amount }) => [source, amount],
      )
    const id = await debitPayout(setup, 'zotapay', owner, '20.00')
    await markPaidOut(setup.staff, id, 'SWIFT 1')
    assert.deepEqual(await share(), [])
    const said = { amount: '15.00', reference: 'RETURN 1', reason: 'The account is closed' }
    await reportReturnedTransfer(setup.staff, id, said)
    const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
    const asked = cases.find(({ payout }) => payout?.withdrawal_id === id)
    assert.ok(asked)
    await decideException(setup.staff, { id: asked._id, decision: 'credit_paid', note: '', outside_reference: '' })
    assert.deepEqual(await share(), [['zotapay', '15.00']])
    const creditedBefore = (tx: Tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ destination: null })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', owner.accountId)
        .where('payment_method', '=', 'manual')
        .where('type', '=', 'deposit')
        .execute()
    await inTransaction(setup.system, creditedBefore)
    assert.deepEqual(await share(), [])
    const migration = new URL('../migrations/20261202-0812-destination-of-returned-transfers.sql', import.meta.url)
    await (await setup.openOwner()).query(await readFile(migration, 'utf8'))
    assert.deepEqual(await share(), [['zotapay', '15.00']])
  })
})

describe('a payout to the source of a deposit', () => {
  it('needs a fresh proof after each deposit, whose card may be another one', async () => {
    const own = await openPayee(setup, 'safecharge', { balance: '1000.00' })
    const paid = await debitPayout(setup, 'safecharge', own, '1.00')
    await processLatest(setup, paid)
    await reportPayout(setup, paid, {})
    assert.equal(await stateOf(paid), 'approved')
    setup.context.clock.advance(16 * 60_000)
    const asked = { trading_account: own.accountId, destination: 'psp:safecharge' }
    const needsProof = async () => (await quoteWithdrawal(own.member, asked)).needs_proof
    assert.equal(await needsProof(), false)
    await askPayout('safecharge', own, '1.00')
    await openPayee(setup, 'safecharge')
    assert.equal(await needsProof(), true)
    assert.equal(await fieldsOf(askPayout('safecharge', own, '900.00')), 'proof_required')
  })

  it('returns to the approved source, whatever the member pays in afterwards', async () => {
    const own = await openPayee(setup, 'safecharge', { balance: '1000.00' })
    const { payout_id } = await latestPayout(setup, await debitPayout(setup, 'safecharge', own, '1.00'))
    const source = async () => {
      const held = await inTransaction(setup.system, (tx) => holdPayout(tx, setup.system, payout_id))
      assert.ok(held)
      return inTransaction(setup.system, async (tx) => {
        const provider = await readProvider(tx, setup.system, held.payout.provider_id)
        assert.equal(await isBeneficiaryChanged(tx, setup.system, held.withdrawal, provider), false)
        return (await readPayoutToStart(tx, setup.system, held, provider)).source
      })
    }
    const approved = await source()
    setup.context.clock.advance(1_000)
    await openPayee(setup, 'safecharge')
    assert.deepEqual(await source(), approved)
  })
})
