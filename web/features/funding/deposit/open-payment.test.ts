import assert from 'node:assert/strict'
import { it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { type OpenPayment, openPaymentTexts, paymentStepOf } from './open-payment.ts'

const now = 1_800_000_000_000
const open: OpenPayment = { status: 'ok', state: 'open', order: 'o', expires_at: now + 60_000 }
const secondsLeft = 60
const coins = {
  ...{ crypto_currency: 'XRP', checkout_url: null, address: 'rX', dest_tag: '7', amount: '10', network: null },
  ...{ expires_at: now + 60_000, seen_at: null },
}

it('continues on the page of the order, in each of its forms', () => {
  assert.deepEqual(paymentStepOf({ ...open, redirectURL: 'https://pay.example' }, secondsLeft), { kind: 'page' })
  assert.deepEqual(paymentStepOf({ ...open, form_data: { action: 'https://pay.example', fields: [] } }, secondsLeft), {
    kind: 'page',
  })
  const data = JSON.stringify(coins)
  assert.deepEqual(paymentStepOf({ ...open, pending_deposit: { _id: 'd', data } }, secondsLeft), {
    kind: 'coins',
    coins,
  })
})

it('says that the link expired, also while the page is open, and offers a new deposit', () => {
  const over = { kind: 'over', text: openPaymentTexts.expired, isNewOffered: true }
  assert.deepEqual(paymentStepOf({ ...open, state: 'expired' }, secondsLeft), over)
  assert.deepEqual(paymentStepOf({ ...open, redirectURL: 'https://pay.example' }, 0), over)
})

it('offers no second payment while the provider has not answered', () => {
  const step = paymentStepOf({ ...open, state: 'unanswered' }, secondsLeft)
  assert.deepEqual(step, { kind: 'over', text: paymentTexts.outcomeUnknown, isNewOffered: false })
})

it('offers nothing for a payment that arrived or ended, and no page that it does not have', () => {
  assert.deepEqual(paymentStepOf({ ...open, state: 'settled' }, secondsLeft), { kind: 'none' })
  assert.deepEqual(paymentStepOf(open, secondsLeft), { kind: 'none' })
  assert.equal(paymentStepOf({ ...open, state: 'unpayable' }, secondsLeft).kind, 'over')
})
