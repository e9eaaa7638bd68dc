import assert from 'node:assert/strict'
import { it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { type OpenPayment, openPaymentTexts, paymentStepOf } from './open-payment.ts'

const now = 1_800_000_000_000
const open: OpenPayment = { status: 'ok', state: 'open', order: 'o', expires_at: now + 60_000 }
const coins = {
  ...{ crypto_currency: 'XRP', checkout_url: null, address: 'rX', dest_tag: '7', amount: '10', network: null },
  ...{ expires_at: now + 60_000, seen_at: null },
}

it('continues on the page of the order, in each of its forms', () => {
  assert.deepEqual(paymentStepOf({ ...open, redirectURL: 'https://pay.example' }, now), { kind: 'page' })
  assert.deepEqual(paymentStepOf({ ...open, form_data: { action: 'https://pay.example', fields: [] } }, now), {
    kind: 'page',
  })
  const data = JSON.stringify(coins)
  assert.deepEqual(paymentStepOf({ ...open, pending_deposit: { _id: 'd', data } }, now), { kind: 'coins', coins })
})

it('says that the link expired, also while the page is open, and offers a new deposit', () => {
  const over = { kind: 'over', text: openPaymentTexts.expired, isNewOffered: true }
  assert.deepEqual(paymentStepOf({ ...open, state: 'expired' }, now), over)
  assert.deepEqual(paymentStepOf({ ...open, redirectURL: 'https://pay.example', expires_at: now }, now), over)
})

it('offers no second payment while the provider has not answered', () => {
  const step = paymentStepOf({ ...open, state: 'unanswered' }, now)
  assert.deepEqual(step, { kind: 'over', text: paymentTexts.outcomeUnknown, isNewOffered: false })
})

it('offers nothing for a payment that arrived or ended, and no page that it does not have', () => {
  assert.deepEqual(paymentStepOf({ ...open, state: 'settled' }, now), { kind: 'none' })
  assert.deepEqual(paymentStepOf(open, now), { kind: 'none' })
  assert.equal(paymentStepOf({ ...open, state: 'unpayable' }, now).kind, 'over')
})
