import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setReader } from '../../../ui/text/format.ts'
import { feeText, isOutside, lastMethod, namesOf, orderMethods, rangeText } from './ways-to-pay.ts'

const offer = { currency: 'USD', amount_min: '20.00', amount_max: '5000.00', fee_percent: '1.9', fee_fixed: '0.30' }
const providers = ['coinpayments', 'safecharge', 'something-new', 'skrill'].map((app_uid) => ({ app_uid }))

test('orders the method used last first, then the fast ones, then the manual transfer', () => {
  assert.deepEqual(orderMethods(providers, null), ['safecharge', 'skrill', 'coinpayments', 'something-new', 'manual'])
  assert.equal(orderMethods(providers, 'coinpayments')[0], 'coinpayments')
  assert.equal(orderMethods(providers, 'manual')[0], 'manual')
  assert.equal(orderMethods(providers, 'rpnpay')[0], 'safecharge')
  assert.equal(new Set(orderMethods(providers, 'skrill')).size, 5)
})

test('names a method by its means of payment, unless the brokerage named it', () => {
  assert.deepEqual(namesOf({ app_uid: 'safecharge', name: 'SafeCharge' }), { name: 'Card', beside: 'SafeCharge' })
  assert.deepEqual(namesOf({ app_uid: 'safecharge', name: 'Visa' }), { name: 'Visa', beside: 'Card' })
  assert.deepEqual(namesOf({ app_uid: 'something-new', name: 'New' }), { name: 'New', beside: null })
})

test('formats fee and limits with separators, and detects an amount outside the limits', () => {
  assert.equal(feeText(offer), '1.9 % + 0.30 USD')
  assert.equal(feeText({ ...offer, fee_percent: '0', fee_fixed: '0' }), null)
  setReader({ language: 'de', timeZone: null })
  assert.equal(feeText(offer), '1,9 % + 0,30 USD')
  setReader({ language: null, timeZone: null })
  assert.equal(rangeText(offer), '20.00 \u2013 5,000.00 USD')
  assert.deepEqual(
    ['19.99', '20', '5,000', '5000.01', 'x', ''].map((amount) => isOutside(amount, offer)),
    [true, false, false, true, false, false],
  )
  assert.equal(isOutside('1', null), false)
})

test('takes the last method from deposits to live accounts that were not refused', () => {
  const row = (over: object) => ({
    ...{ type: 'deposit', state: 'approved', payment_method: 'psp:skrill', trading_account: { live_account: true } },
    ...over,
  })
  assert.equal(lastMethod([row({ type: 'withdrawal' }), row({ state: 'rejected' }), row({})]), 'skrill')
  assert.equal(lastMethod([row({ trading_account: { live_account: false } })]), null)
  assert.equal(lastMethod([row({ payment_method: 'manual' })]), 'manual')
  assert.equal(lastMethod([row({ payment_method: null })]), 'manual')
})
