// spec: MP 2.5, MP 7
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { startDeposit } from '@atrium/contract/payments/start-deposit.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { type PaymentForm, usePaymentForm } from './use-payment-form.ts'

type Choices = { accountId: string; method: string }
type Sent = { trading_account: string; payment_method: string; nonce_token: string }

let sent: Sent[] = []
let went: string[] = []
let keys = 0
let form: PaymentForm
let closePage: () => void

/** The payment page of each order names its method and account. */
async function serve(address: string, { body }: { body: string }): Promise<Response> {
  if (address === '/members/get-unique-token') {
    keys += 1
    return Response.json({ status: 'ok', token: `key-${keys}` })
  }
  const order = JSON.parse(body) as Sent
  sent.push(order)
  const redirectURL = `https://pay.example/${order.payment_method}/${order.trading_account}`
  return Response.json({ status: 'ok', order: crypto.randomUUID(), redirectURL })
}

const { show, until, close } = hookUnderTest(
  ({ accountId, method }: Choices) =>
    usePaymentForm({
      ...{ accountId, method, amount: '100.00', takesCoins: false, ways: [], offer: null },
      profile: { phones: [], emails: [], addresses: [] },
      rules: { startDeposit, checkPayment: () => ({}) },
    }),
  (shown) => (form = shown),
)
/** Pays, and waits until the browser is sent to a payment page. */
async function pay(): Promise<void> {
  const before = went.length
  flushSync(() => form.submit())
  await until(() => went.length > before && !form.isSubmitting)
}

beforeEach(() => {
  ;[sent, went, keys] = [[], [], 0]
  const location = { href: 'https://harbour.example/funds/deposit', assign: (address: string) => went.push(address) }
  Object.assign(globalThis, { window: { location } })
  closePage = openPage(serve)
})
afterEach(() => {
  close()
  closePage()
})

describe('after the redirect to a payment page has started', () => {
  const card = { accountId: 'account-1', method: 'safecharge' }

  it('the button opens the same page again, without another order', async () => {
    show(card)
    await pay()
    flushSync(() => form.submit())
    assert.equal(form.isRedirected, true)
    assert.equal(sent.length, 1)
    assert.deepEqual(went, ['https://pay.example/safecharge/account-1', 'https://pay.example/safecharge/account-1'])
  })

  for (const [what, other] of [
    ['method', { ...card, method: 'skrill' }],
    ['account', { ...card, accountId: 'account-2' }],
  ] as const)
    it(`another ${what} is another payment, with a key of its own`, async () => {
      show(card)
      await pay()
      show(other)
      assert.equal(form.isRedirected, false)
      await pay()
      assert.equal(went.at(-1), `https://pay.example/${other.method}/${other.accountId}`)
      assert.deepEqual(
        sent.map(({ payment_method, trading_account, nonce_token }) => [payment_method, trading_account, nonce_token]),
        [
          ['safecharge', 'account-1', 'key-1'],
          [other.method, other.accountId, 'key-2'],
        ],
      )
    })
})
