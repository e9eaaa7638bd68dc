// spec: AO 3, AO 7, AO 9
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CoinpaymentsSimulator, startCoinpaymentsSimulator } from '../../simulators/coinpayments/simulator.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addFundAccount } from '../../tests/fixtures/payments/money.ts'
import {
  addBeside,
  coinsMerchant,
  creditsOf,
  listWebhookEvents,
  openPayer,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startBody,
  startOrder,
  withAccountIn,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addMember, addWorkspace, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { refreshCoins } from './coins.ts'
import { connectProvider, findProvider } from './connections/provider.ts'
import { countPendingDeposits, listPendingDeposits } from './pending-deposits.ts'
import { askProvider } from './reconciliation.ts'

const path = '/customers/trading-accounts/start-deposit'
const usual = { payment_method: 'coinpayments', crypto_currency: 'LTCT' }

let setup: PaymentFixture
let caller: Caller
let token: string
let simulator: CoinpaymentsSimulator
before(async () => {
  setup = await openPaymentFixture()
  simulator = await addBeside(setup, 'coinpayments', startCoinpaymentsSimulator(coinsMerchant))
  ;({ caller, token } = await openPayer(setup))
})
after(() => setup.close())

const start = (coin = 'LTCT') => startOrder(setup, { ...usual, crypto_currency: coin })
const stateOf = async (orderId: string) => (await readOrder(setup, orderId)).state
const reasonOf = async (orderId: string) => (await readOrder(setup, orderId)).staff_reason
async function sendWebhook(attempt: string, overrides?: Parameters<typeof simulator.notify>[1]) {
  const answer = await simulator.notify(attempt, overrides)
  await readWebhookEvents(setup)
  return answer
}
async function creditsFor(orderId: string): Promise<number> {
  const { transaction_id } = await readOrder(setup, orderId)
  return (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id).length
}
const pending = (filter = {}, member = setup.member) =>
  inTransaction(member, (tx) => listPendingDeposits(tx, member, filter, { limit: 15, offset: 0 }))

describe('a deposit in coins', () => {
  it('answers the pending deposit with its address, and stores the coin', async () => {
    const { status, body } = await caller.post(
      path,
      await startBody(setup, { ...usual, crypto_currency: 'XRP' }),
      token,
    )
    assert.equal(status, 200, JSON.stringify(body))
    const { data, _id } = body.pending_deposit as { data: string; _id: string }
    const said = JSON.parse(data) as Record<string, unknown>
    assert.equal(said.crypto_currency, 'XRP')
    assert.match(String(said.checkout_url), /^http:\/\/127\.0\.0\.1:\d+\/checkout\/CP[0-9A-F]{24}\/$/)
    assert.match(String(said.address), /^r/)
    assert.match(String(said.dest_tag), /^\d+$/)
    assert.match(String(said.amount), /^\d+\.\d{8}$/)
    assert.equal(said.network, 'XRP Ledger')
    const order = await readOrder(setup, String(body.order))
    assert.deepEqual([order.coin, order.transaction_id], ['XRP', _id])
    assert.equal(order.expires_at.getTime(), said.expires_at)
  })

  it('defaults to bitcoin, and the answer says so', async () => {
    const { status, body } = await caller.post(path, await startBody(setup, { payment_method: 'coinpayments' }), token)
    assert.deepEqual([status, body.crypto_currency], [200, 'BTC'])
    assert.equal((await readOrder(setup, String(body.order))).coin, 'BTC')
  })

  it('accepts only coins that the provider accepts now', async () => {
    for (const [crypto_currency, sentence] of [
      ['DOGE', 'This coin is not accepted at the moment. Please choose another one.'],
      ['USDT', 'This coin is not accepted at the moment. Please choose another one.'],
      ['USD', 'This coin is not accepted at the moment. Please choose another one.'],
    ] as const) {
      const { status, body } = await caller.post(path, await startBody(setup, { ...usual, crypto_currency }), token)
      assert.equal(status, 422)
      assert.deepEqual((body.errors as Record<string, string[]>).crypto_currency, [sentence])
    }
  })

  it('the database refuses to change the coin of an order', async () => {
    const { order } = await start()
    const change = inTransaction(setup.system, (tx) =>
      tx.updateTable('deposit_orders').where(here).set({ coin: 'BTC' }).where('order_id', '=', order).execute(),
    )
    await assert.rejects(change, /an order keeps its coin/)
  })

  for (const [what, overrides, why] of [
    ['another coin', { coin: 'LTC' }, 'coin_differs'],
    ['a coin of the same name on another network', { coin: 'LTCT.ERC20' }, 'coin_differs'],
    ['fewer coins than were asked for', { received: '0.00000001' }, 'amount_differs'],
    ['another amount of coins', { asked: '0.00000001', received: '1' }, 'amount_differs'],
  ] as const)
    it(`moves ${what} to manual review and credits nothing`, async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, '100')
      await sendWebhook(attempt, overrides)
      assert.deepEqual([await stateOf(order), await reasonOf(order), await creditsFor(order)], ['for_staff', why, 0])
    })

  it('credits the agreed amount of an overpayment, and leaves the excess to staff', async () => {
    const { order, attempt } = await start()
    simulator.set(attempt, '100', '', '1000')
    await sendWebhook(attempt)
    assert.deepEqual([await stateOf(order), await creditsFor(order)], ['paid', 1])
    const stored = (await listWebhookEvents(setup, order)).at(-1)
    assert.deepEqual([stored?.outcome, stored?.why], ['for_staff', 'more_than_asked'])
  })

  it('does not credit unconfirmed coins', async () => {
    const { order, attempt } = await start()
    simulator.set(attempt, '1')
    await sendWebhook(attempt)
    await askProvider(setup.system, order)
    assert.deepEqual([await stateOf(order), await creditsFor(order)], ['handed_over', 0])
    assert.ok((await readOrder(setup, order)).seen_at)
  })

  it('finds coins without a webhook event, and compares them with the amount shown to the member', async () => {
    const [right, less] = [await start(), await start()]
    simulator.set(right.attempt, '100')
    simulator.set(less.attempt, '100', '', '0.00000001')
    await askProvider(setup.system, right.order)
    await askProvider(setup.system, less.order)
    assert.deepEqual([await stateOf(right.order), await creditsFor(right.order)], ['paid', 1])
    assert.deepEqual([await stateOf(less.order), await reasonOf(less.order)], ['for_staff', 'amount_differs'])
  })

  it('refuses another merchant', async () => {
    const { order, attempt } = await start()
    assert.equal((await sendWebhook(attempt, { status: '100', merchantId: 'another' }))?.status, 401)
    assert.equal((await sendWebhook(attempt, { status: '100', hmac: null }))?.status, 401)
    assert.equal(await stateOf(order), 'handed_over')
  })

  it('accepts the genuine webhook event after a forgery of the same bytes', async () => {
    const { order, attempt } = await start()
    simulator.set(attempt, '100')
    await sendWebhook(attempt, { hmac: 'f'.repeat(128) })
    assert.equal(await stateOf(order), 'handed_over')
    await sendWebhook(attempt)
    assert.equal(await stateOf(order), 'paid')
  })
})

it('lets a member cancel a pending coin deposit through the state call, whose answer confirms it', async () => {
  const { token } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
  const { transaction_id: id } = await readOrder(setup, (await start()).order)
  const change = (status: string) =>
    caller.post('/customers/trading-accounts/change-transaction-state', { id, status }, token)
  const refused = await change('approved')
  assert.deepEqual([refused.status, refused.body.error], [422, 'Trading Transaction not updated'])
  const { status, body } = await change('cancelled')
  assert.deepEqual([status, body.msg], [200, ['Trading Transaction updated successfully.']])
})

describe('the list of pending deposits', () => {
  it('shows open deposits, newest first, and no finished one', async () => {
    const before = await pending()
    const { order, attempt } = await start('USDT.TRC20')
    const [first, ...rest] = await pending()
    assert.equal(rest.length, before.length)
    assert.equal(first?.transaction_id, (await readOrder(setup, order)).transaction_id)
    assert.equal(first?.description, 'USDT.TRC20 with CoinPayments')
    assert.equal((JSON.parse(first?.data ?? '') as { network: string }).network, 'Tron (TRC-20)')
    simulator.set(attempt, '100')
    await sendWebhook(attempt)
    assert.equal((await pending()).length, before.length)
  })

  it('continues with the address shown first, until the coins were seen', async () => {
    const { order, attempt } = await start()
    const { transaction_id: id } = await readOrder(setup, order)
    const { token } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    const page = async () => (await caller.get(`/members/deposits/payment?_id=${id}`, token)).body
    const [listed] = await pending({ transactionId: id })
    assert.deepEqual((await page()).pending_deposit, { _id: id, data: listed?.data })
    simulator.set(attempt, '1')
    await sendWebhook(attempt)
    const { state, pending_deposit } = await page()
    assert.deepEqual([state, pending_deposit], ['settled', undefined])
  })

  it('omits unpaid deposits after their time, and includes those seen in time', async () => {
    const [idle, seen] = [await start(), await start()]
    simulator.set(seen.attempt, '1')
    await sendWebhook(seen.attempt)
    setup.context.clock.advance(61 * 60_000)
    const ids = (await pending()).map(({ transaction_id }) => transaction_id)
    assert.equal(ids.includes((await readOrder(setup, idle.order)).transaction_id), false)
    assert.equal(ids.includes((await readOrder(setup, seen.order)).transaction_id), true)
  })

  it('has the filters and the count of the list of transactions', async () => {
    const { order } = await start()
    const { transaction_id } = await readOrder(setup, order)
    const one = (await pending({ transactionId: transaction_id }))[0]
    assert.equal((await pending({ ticket: one?.number })).length, 1)
    assert.equal((await pending({ amount: '1.23' })).length, 0)
    const count = (filter = {}) => inTransaction(setup.member, (tx) => countPendingDeposits(tx, setup.member, filter))
    assert.equal(await count({ transactionId: transaction_id }), 1)
    assert.equal(await count(), (await pending()).length)
  })

  it('finds a deposit by its total with the fee, which it shows, and by its amount', async () => {
    const { order } = await startOrder(await withAccountIn(setup, 'EUR'), usual)
    const { transaction_id } = await readOrder(setup, order)
    const { token } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    const found = async (filter: string) => {
      const query = `{ pending_deposits(_id: "${transaction_id}", ${filter}) { subtotal } }`
      const { body } = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
      return (body as { data: { pending_deposits: unknown[] } }).data.pending_deposits
    }
    for (const filter of ['subtotal: "256.25"', 'amount: 250', 'amount: 250, subtotal: "256.25"'])
      assert.deepEqual(await found(filter), [{ subtotal: '256.25' }], filter)
    for (const filter of ['subtotal: 250', 'amount: "256.25"']) assert.deepEqual(await found(filter), [], filter)
  })

  it('returns fifteen rows per page', async () => {
    const { length } = await pending()
    for (let more = length; more < 16; more++) await start()
    const { token } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    const ask = async (page: number) => {
      const query = `{ pending_deposits(page: ${page}, withCount: true) { _id } }`
      const { body } = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
      return body as { data: { pending_deposits: unknown[] }; extra: { countOrders: number } }
    }
    const [first, second] = [await ask(1), await ask(2)]
    assert.equal(first.data.pending_deposits.length, 15)
    assert.equal(second.data.pending_deposits.length, second.extra.countOrders - 15)
  })

  it('does not show another member\u2019s deposits', async () => {
    await start()
    const { memberId } = await addMember(setup.system)
    assert.deepEqual(await pending({}, await memberActor(setup.system, memberId)), [])
  })
})

describe('the coins of a provider', () => {
  const rowOf = async () => {
    const row = await inTransaction(setup.system, (tx) => findProvider(tx, setup.system, 'coinpayments'))
    assert.ok(row)
    return row
  }

  it('are refreshed when stale, and remain when the provider is down', async () => {
    const first = (await rowOf()).coins_read_at
    setup.context.clock.advance(11 * 60_000)
    simulator.breakDown({ isDown: true })
    await refreshCoins(setup.system)
    assert.deepEqual((await rowOf()).coins_read_at, first)
    simulator.mend()
    await refreshCoins(setup.system)
    assert.notDeepEqual((await rowOf()).coins_read_at, first)
  })

  it('are listed with network and picture, only for a provider that takes coins', async () => {
    // The clock was advanced, so the session has expired.
    const { token } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    const { status, body } = await caller.get('/members/deposits/coins?payment_method=coinpayments', token)
    assert.equal(status, 200, JSON.stringify(body))
    const coins = body.coins as { code: string; network: string | null; image_url: string }[]
    assert.ok(coins.length >= 7)
    const tether = coins.find(({ code }) => code === 'USDT.TRC20')
    assert.equal(tether?.network, 'Tron (TRC-20)')
    assert.match(String(tether?.image_url), /^data:image\/svg\+xml,/)
    for (const method of ['zotapay', 'nobody'])
      assert.equal((await caller.get(`/members/deposits/coins?payment_method=${method}`, token)).status, 422)
  })

  it('are listed for an own wallet, and not for a wallet of another member or workspace', async () => {
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere', name: 'Elsewhere' })
    const wallet = async (system: System, memberId: string) => addFundAccount(system, { memberId, type: 'crypto' })
    const own = await wallet(setup.system, setup.member.memberId)
    const another = await wallet(setup.system, (await addMember(setup.system)).memberId)
    const theirs = await wallet(elsewhere, (await addMember(elsewhere)).memberId)
    const { token } = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    const sendWebhook = async (id: string) => {
      const asked = new URLSearchParams({ destination: 'psp:coinpayments', destination_id: id })
      const { status, body } = await caller.get(`/coinpayments/get-enabled-coins?${asked}`, token)
      return { status, coins: (body.enabled_coins as { name: string }[]).map(({ name }) => name) }
    }
    assert.deepEqual(await sendWebhook(own), { status: 200, coins: ['BTC'] })
    const nobodys = await sendWebhook('0190a0b0-0000-7000-8000-000000000002')
    assert.deepEqual(nobodys, { status: 200, coins: [] })
    for (const id of [another, theirs]) assert.deepEqual(await sendWebhook(id), nobodys)
  })

  it('come from a connection that verifies its merchant', async () => {
    const row = await rowOf()
    await (await connectProvider(setup.system, row)).test()
  })
})
