// spec: MP 2.5, MP 3, MP 5, MP 7, MP 9
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startDepositInput } from '@atrium/contract/payments/start-deposit.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import {
  openPayer,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { switchProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { isListedPage } from '../payment-providers/page-address.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { findConnection, findProvider } from './connections/provider.ts'
import { applyReport } from './settle.ts'

const path = '/customers/trading-accounts/start-deposit'
const statusPath = '/customers/trading-accounts/deposit-status'

let setup: PaymentFixture
let caller: Caller
let token: string
before(async () => {
  setup = await openPaymentFixture()
  ;({ caller, token } = await openPayer(setup))
})
after(() => setup.close())

const sendWebhook = async (attempt: string, overrides = {}) => {
  const answer = await sendZotaWebhook(setup, attempt, overrides)
  return answer
}
const ordersCount = async (): Promise<number> => {
  const found = await reading(setup.system, (tx) =>
    tx.selectFrom('deposit_orders').select('order_id').where('workspace_id', '=', setup.system.workspaceId).execute(),
  )
  return found.length
}

/** Replaces Zota's encrypted secret and returns the previous one. */
function changeSealedSecret(sealed_secret: Buffer): Promise<Buffer> {
  return inTransaction(setup.system, async (tx) => {
    const provider = await findProvider(tx, setup.system, 'zotapay')
    const id = String(provider?.provider_id)
    const { sealed_secret: earlier } = (await findConnection(tx, setup.system, id)) ?? assert.fail('No connection.')
    await tx
      .updateTable('payment_provider_connections')
      .set({ sealed_secret })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('provider_id', '=', id)
      .execute()
    return earlier
  })
}

describe('starting a deposit with a provider', () => {
  it('answers with the redirect and stores the agreed amounts', async () => {
    const { status, body } = await caller.post(path, await startBody(setup), token)
    assert.equal(status, 200, JSON.stringify(body))
    assert.match(String(body.redirectURL), /^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f]{40}\/$/)
    const order = await readOrder(setup, String(body.order))
    assert.deepEqual([order.state, order.amount, order.charge], ['handed_over', '250.00', '250.00'])
    const transaction = await readTransaction(setup, order.transaction_id)
    assert.deepEqual(
      [transaction.state, transaction.payment_method, transaction.destination, transaction.source],
      ['pending', 'psp:zotapay', 'psp:zotapay', 'client'],
    )
  })

  it('answers with a form whose fields are in signing order', async () => {
    const { status, body } = await caller.post(
      path,
      await startBody(setup, { payment_method: 'psp:safecharge' }),
      token,
    )
    assert.equal(status, 200)
    const { fields } = body.form_data as { fields: { name: string; value: string }[] }
    assert.equal(fields.at(-1)?.name, 'checksum')
    assert.equal(await setup.safecharge.post(fields), 200)
    assert.equal(await setup.safecharge.post([...fields].reverse()), 403)
  })

  it('adds the fee to the charge and compares payments with the charge', async () => {
    const accountId = await addAccount(setup.system, {
      memberId: setup.member.memberId,
      platformId: setup.platformId,
      currency: 'EUR',
    })
    const { order, attempt } = await startOrder(setup, { trading_account: accountId, amount: '100.01' })
    const { fee, charge } = await readOrder(setup, order)
    // 2.5 % of 100.01 is 2.50025: rounded up.
    assert.deepEqual([fee, charge], ['2.51', '102.52'])
    assert.equal(setup.zota.orders.get(attempt)?.amount, '102.52')
    setup.zota.set(attempt, 'APPROVED')
    await sendWebhook(attempt)
    const { state, transaction_id } = await readOrder(setup, order)
    assert.equal(state, 'paid')
    const { amount } = await readTransaction(setup, transaction_id)
    assert.equal(amount, '100.01')
  })

  it('reports an error for every wrong field', async () => {
    const body = await startBody(setup)
    const wrong: [object, string, string][] = [
      [{ country: undefined }, 'country', 'Please select a country.'],
      [{ country: 'XX' }, 'country', 'Please select a country.'],
      [{ city: '' }, 'city', 'Please fill all address details.'],
      [{ address_line_1: undefined }, 'address_line_1', 'Please fill all address details.'],
      [
        { phone: '+356 21x' },
        'phone',
        'Please enter a valid Phone number. Only numbers and these symbols allowed: + - ( )',
      ],
      [{ phone: '' }, 'phone', 'Please fill all required fields.'],
      [{ amount: '' }, 'amount', 'Please specify the deposit amount.'],
      [{ amount: '0' }, 'amount', 'The amount needs to be greater than 0.00.'],
      [{ amount: '-5' }, 'amount', 'The amount needs to be greater than 0.00.'],
      [{ amount: '1e3' }, 'amount', 'Please, enter a valid amount.'],
      [{ amount: '10.001' }, 'amount', 'Please, enter a valid amount.'],
      [{ amount: '9.99' }, 'amount', 'Enter an amount from 10.00 to 5,000.00 USD.'],
      [{ amount: '5000.01' }, 'amount', 'Enter an amount from 10.00 to 5,000.00 USD.'],
      [{ payment_method: 'manual' }, 'payment_method', 'Please choose one of the listed payment methods.'],
      [{ payment_method: 'constructor' }, 'payment_method', 'Please choose one of the listed payment methods.'],
    ]
    const orders = await ordersCount()
    for (const [change, field, sentence] of wrong) {
      const answer = await caller.post(path, { ...body, ...change }, token)
      const errors = answer.body.errors as Record<string, string[]> | undefined
      assert.deepEqual([answer.status, errors?.[field]], [422, [sentence]], JSON.stringify(change))
    }
    assert.equal(await ordersCount(), orders)
  })

  it('normalizes a phone number like the profile, in any spelling', async () => {
    for (const phone of ['+356 (21) 00-00 00', '2100 0000', '\u202d+356.2100/0000\u202c', '＋356 ２１００ ００００']) {
      const body = await startBody(setup, { phone, country: 'MT' })
      assert.equal(startDepositInput.parse(body).phone, '+35621000000', phone)
      assert.equal((await caller.post(path, body, token)).status, 200, phone)
    }
  })

  it('accepts own live accounts only, whatever else the form contains', async () => {
    const other = await addMember(setup.system)
    const of = { platformId: setup.platformId }
    const foreign = await addAccount(setup.system, { ...of, memberId: other.memberId })
    const demo = await addAccount(setup.system, { ...of, memberId: setup.member.memberId, live_account: false })
    const readOnly = await addAccount(setup.system, { ...of, memberId: setup.member.memberId, enable_read_only: true })
    for (const trading_account of [foreign, demo, readOnly]) {
      const swapped = { type: 'deposit', status: 'approved', source: 'other', destination: setup.accountId }
      const answer = await caller.post(path, { ...(await startBody(setup, { trading_account })), ...swapped }, token)
      assert.equal(answer.status, 422)
      assert.deepEqual(Object.keys(answer.body.errors as object), ['trading_account'])
    }
  })

  it('refuses a disabled provider and a currency without terms', async () => {
    await switchProvider(setup.system, 'zotapay', false)
    assert.equal((await caller.post(path, await startBody(setup), token)).status, 422)
    await switchProvider(setup.system, 'zotapay', true)
    const { memberId } = setup.member
    const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId, currency: 'GBP' })
    const answer = await caller.post(path, await startBody(setup, { trading_account: accountId }), token)
    assert.deepEqual(answer.body.errors, {
      payment_method: ['This payment method does not accept GBP. Please choose another one.'],
    })
  })

  it('reports a provider with an undecryptable secret as unavailable, and creates no order', async () => {
    const before = await ordersCount()
    const secret = await changeSealedSecret(Buffer.alloc(80, 7))
    const answer = await caller.post(path, await startBody(setup), token)
    await changeSealedSecret(secret)
    assert.equal(answer.status, 503)
    assert.equal(await ordersCount(), before)
    await startOrder(setup)
  })

  it('a hundred simultaneous copies of a form are one order with equal answers', async () => {
    const body = await startBody(setup)
    const [orders, calls] = [await ordersCount(), setup.zota.startCalls()]
    const answers = await Promise.all(Array.from({ length: 100 }, () => caller.post(path, body, token)))
    assert.deepEqual(new Set(answers.map(({ status, raw }) => `${status} ${raw}`)).size, 1)
    assert.equal(answers[0]?.status, 200)
    assert.deepEqual([(await ordersCount()) - orders, setup.zota.startCalls() - calls], [1, 1])
    const other = await caller.post(path, { ...body, amount: '251.00' }, token)
    assert.deepEqual([other.status, other.body.code], [409, 'nonce_reused'])
  })

  it('reports a refusal and ends the order', async () => {
    setup.zota.refuseStarts('card not supported')
    const body = await startBody(setup)
    const { status, body: answer } = await caller.post(path, body, token)
    setup.zota.mend()
    assert.deepEqual([status, answer.code], [409, 'payment_declined'])
    assert.equal((await caller.post(path, body, token)).status, 409)
  })

  it('redirects only to listed hosts', () => {
    const real = setup.zota.settings.baseUrl
    const listed = [real, 'https://*.zotapay.com']
    for (const address of [
      ...[
        'javascript:alert(1)',
        'https://evil.example',
        `${real}@evil.example`,
        'http://10.0.0.1/',
        'data:text/html,x',
      ],
      ...[
        'https://zotapay.com.evil.example',
        'https://evilzotapay.com',
        'http://pay.zotapay.com',
        'https://a@pay.zotapay.com',
      ],
    ])
      assert.equal(isListedPage(address, listed, false), false, address)
    assert.equal(isListedPage('https://pay.zotapay.com/x', listed, true), true)
    assert.deepEqual(
      [false, true].map((production) => isListedPage(`${real}/pay`, listed, production)),
      [true, false],
    )
  })

  it('refuses a form token of another purpose', async () => {
    const member = await memberActor(setup.system, setup.member.memberId)
    const body = await startBody(setup, { nonce_token: await makeUniqueToken(member, 'account_opening') })
    const answer = await caller.post(path, body, token)
    assert.deepEqual([answer.status, answer.body.code], [409, 'nonce_unknown'])
  })
})

describe('the status of a deposit', () => {
  it('is byte-identical for another member’s order and an unknown one', async () => {
    const { order } = await startOrder(setup)
    const other = await addMember(setup.system)
    const otherToken = (await openTestSession(setup.system, { kind: 'member', id: other.memberId })).token
    const id = /"request_id":"[^"]+"/
    const foreign = await caller.post(statusPath, { order }, otherToken)
    const unknown = await caller.post(statusPath, { order: '0190a000-0000-7000-8000-000000000000' }, otherToken)
    assert.deepEqual([foreign.status, foreign.raw.replace(id, '')], [404, unknown.raw.replace(id, '')])
    assert.equal((await caller.post(statusPath, { order }, token)).status, 200)
  })

  it('never repeats what went wrong when the page was requested', async () => {
    setup.zota.breakDown({ malformed: 'html' })
    const answer = await caller.post(path, await startBody(setup), token)
    setup.zota.mend()
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'])
    const { order_id } = await reading(setup.system, (tx) =>
      tx
        .selectFrom('deposit_orders')
        .select('order_id')
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('state', '=', 'checking')
        .executeTakeFirstOrThrow(),
    )
    const report = { reference: 'ZP-1', amount: '250.00', currency: 'USD', reason: null, word: 'DECLINED' }
    await inTransaction(setup.system, (tx) =>
      applyReport(tx, setup.system, order_id, { ...report, attempt: null, state: 'declined' }),
    )
    const { body } = await caller.post(statusPath, { order: order_id }, token)
    assert.deepEqual([body.payment_status, body.payment_error], ['declined', paymentTexts.notAccepted])
  })

  it('says in words of the portal that one try was declined without a reason', async () => {
    const { order } = await startOrder(setup, { payment_method: 'safecharge' })
    const report = { attempt: null, reference: null, amount: null, currency: null, reason: null, word: 'DECLINED' }
    await inTransaction(setup.system, (tx) =>
      applyReport(tx, setup.system, order, { ...report, state: 'try_declined' }),
    )
    const { body } = await caller.post(statusPath, { order }, token)
    assert.deepEqual([body.payment_status, body.payment_error], ['declined', paymentTexts.notAccepted])
  })

  it('is open while staff review a payment of a deposit that the member cancelled', async () => {
    const { order, attempt } = await startOrder(setup)
    const { transaction_id } = await readOrder(setup, order)
    assert.equal((await caller.post(`/members/deposits/${transaction_id}/delete`, {}, token)).status, 200)
    assert.equal((await caller.post(statusPath, { order }, token)).body.payment_status, 'cancelled')
    setup.zota.set(attempt, 'APPROVED')
    await sendWebhook(attempt)
    const { body } = await caller.post(statusPath, { order }, token)
    assert.deepEqual([body.state, body.order_status, body.payment_status], ['for_staff', undefined, undefined])
  })

  it('says that a payment is on its way although the member cancelled its deposit', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'PENDING')
    await sendWebhook(attempt)
    const { transaction_id } = await readOrder(setup, order)
    assert.equal((await caller.post(`/members/deposits/${transaction_id}/delete`, {}, token)).status, 200)
    const shown = (await caller.post(statusPath, { order }, token)).body
    assert.deepEqual([shown.is_pending, shown.payment_status], [true, undefined])
    setup.zota.set(attempt, 'DECLINED')
    await sendWebhook(attempt)
    assert.equal((await caller.post(statusPath, { order }, token)).body.payment_status, 'cancelled')
  })

  it('still returns an order a week later', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'APPROVED')
    await sendWebhook(attempt)
    setup.context.clock.advance(7 * 24 * 3_600_000)
    const { token: later } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    const { body } = await caller.post(statusPath, { order }, later)
    assert.deepEqual([body.order_status, body.payment_status], ['paid', 'approved'])
    token = later
  })
})

describe('continuing an interrupted payment', () => {
  const pageOf = async (order: string, as = token) => {
    const { transaction_id } = await readOrder(setup, order)
    return caller.get(`/members/deposits/payment?_id=${transaction_id}`, as)
  }
  const stateOf = async (order: string) => (await pageOf(order)).body.state

  it('answers with the page of the same order, and starts no second one', async () => {
    const body = await startBody(setup)
    const started = (await caller.post(path, body, token)).body
    const orders = await ordersCount()
    const { status, body: again } = await pageOf(String(started.order))
    assert.equal(status, 200, JSON.stringify(again))
    assert.deepEqual([again.state, again.order, again.redirectURL], ['open', started.order, started.redirectURL])
    const { expires_at } = await readOrder(setup, String(started.order))
    assert.equal(again.expires_at, expires_at.getTime())
    assert.equal(await ordersCount(), orders)
  })

  it('answers with a form whose fields are the first answer’s', async () => {
    const body = await startBody(setup, { payment_method: 'safecharge' })
    const started = (await caller.post(path, body, token)).body
    assert.deepEqual((await pageOf(String(started.order))).body.form_data, started.form_data)
  })

  it('is byte-identical for another member’s deposit and an unknown one', async () => {
    const { order } = await startOrder(setup)
    const other = await addMember(setup.system)
    const otherToken = (await openTestSession(setup.system, { kind: 'member', id: other.memberId })).token
    const id = /"request_id":"[^"]+"/
    const unknown = '/members/deposits/payment?_id=0190a000-0000-7000-8000-000000000000'
    const foreign = await pageOf(order, otherToken)
    const none = await caller.get(unknown, otherToken)
    assert.deepEqual([foreign.status, foreign.raw.replace(id, '')], [404, none.raw.replace(id, '')])
  })

  it('ends with the payment, a cancellation and the time limit', async () => {
    const [paid, pending, cancelled, late] = [
      await startOrder(setup),
      await startOrder(setup),
      await startOrder(setup),
      await startOrder(setup),
    ]
    setup.zota.set(paid.attempt, 'APPROVED')
    await sendWebhook(paid.attempt)
    setup.zota.set(pending.attempt, 'PENDING')
    await sendWebhook(pending.attempt)
    const { transaction_id } = await readOrder(setup, cancelled.order)
    assert.equal((await caller.post(`/members/deposits/${transaction_id}/delete`, {}, token)).status, 200)
    assert.deepEqual(
      [await stateOf(paid.order), await stateOf(pending.order), await stateOf(cancelled.order)],
      ['settled', 'settled', 'settled'],
    )
    assert.equal(await stateOf(late.order), 'open')
    setup.context.clock.advance(61 * 60_000)
    ;({ token } = await openPayer(setup))
    const { body } = await pageOf(late.order)
    assert.deepEqual([body.state, body.redirectURL], ['expired', undefined])
  })

  it('has no page for an account that was closed since', async () => {
    const { member, platformId, system } = setup
    const accountId = await addAccount(system, { memberId: member.memberId, platformId })
    const { order } = await startOrder(setup, { trading_account: accountId })
    await inTransaction(system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ archived: true })
        .where('workspace_id', '=', system.workspaceId)
        .where('account_id', '=', accountId)
        .execute(),
    )
    const { body } = await pageOf(order)
    assert.deepEqual([body.state, body.redirectURL], ['unpayable', undefined])
  })
})
