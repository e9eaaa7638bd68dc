// spec: MP 2.5, MP 7
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { startDeposit } from '@atrium/contract/payments/start-deposit.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { startTransport } from '../../api/transport.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { type PaymentForm, usePaymentForm } from './use-payment-form.ts'

type Choices = { accountId: string; method: string }
type Sent = { trading_account: string; payment_method: string; nonce_token: string }

let sent: Sent[] = []
let went: string[] = []
let keys = 0
let form: PaymentForm
let root: ReturnType<typeof createRoot>
const rendered = new Set<() => void>()

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

function Shown({ accountId, method }: Choices) {
  const shown = usePaymentForm({
    ...{ accountId, method, amount: '100.00', takesCoins: false, ways: [], offer: null },
    profile: { phones: [], emails: [], addresses: [] },
    rules: { startDeposit, checkPayment: () => ({}) },
  })
  useLayoutEffect(() => {
    form = shown
    for (const recheck of rendered) recheck()
  })
  return null
}

const until = (holds: () => boolean) =>
  new Promise<void>((resolve) => {
    const recheck = () => holds() && rendered.delete(recheck) && resolve()
    rendered.add(recheck)
    recheck()
  })
const show = (choices: Choices) =>
  flushSync(() =>
    root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, choices))),
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
  Object.assign(globalThis, {
    window: { location },
    document: { querySelector: () => null },
    location: new URL('http://harbour.localhost/'),
  })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  root = createRoot(makePageElement() as never)
})
afterEach(() => {
  flushSync(() => root.unmount())
  mock.restoreAll()
  // React still reads `window` after a root is unmounted.
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
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
