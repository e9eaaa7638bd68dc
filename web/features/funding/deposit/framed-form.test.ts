import assert from 'node:assert/strict'
import { it } from 'node:test'
import { frameStep } from './framed-form.ts'

const form = { order: 'order-1', action: 'https://pay.example', fields: [{ name: 'user_name', value: 'Mara' }] }
const asked = { isKnown: false, isFinal: false, isUnknown: false }

it('posts a kept payment form only for the member whose order it is', () => {
  assert.equal(frameStep(form, asked), 'wait')
  assert.equal(frameStep(form, { ...asked, isUnknown: true }), 'leave')
  assert.equal(frameStep(form, { ...asked, isKnown: true }), 'show')
})

it('leaves without a form, and once the payment is final', () => {
  assert.equal(frameStep(null, { ...asked, isKnown: true }), 'leave')
  assert.equal(frameStep(form, { ...asked, isKnown: true, isFinal: true }), 'leave')
})
