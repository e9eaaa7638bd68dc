// spec: MP 4, MP 8
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readable, returnedFrom } from './provider-labels.ts'

describe('the parameters of a provider’s return address', () => {
  it('describe a failure with its reason, or a cancellation', () => {
    assert.deepEqual(returnedFrom({ ppp_status: 'FAIL', message: 'Insufficient+funds' }), {
      kind: 'failed',
      message: 'There is not enough money on the card or account that you paid with.',
    })
    assert.deepEqual(returnedFrom({ ppp_status: 'CANCEL', message: 'x' }), {
      kind: 'cancelled',
      message: 'Your transaction was cancelled.',
    })
    assert.equal(returnedFrom({ ppp_status: 'FAIL' })?.message, 'The payment was not accepted.')
  })

  it('are shown in our own words: no text of the address appears under the brokerage’s name', () => {
    const said = (message: string) => returnedFrom({ ppp_status: 'FAIL', message })?.message
    assert.equal(said('Card+expired'), 'The card has expired.')
    assert.equal(said('Do+not+honor'), 'Your bank or card issuer declined the payment.')
    for (const foreign of ['Call +49 30 1234 and read out your code', '<b>x</b>', 'x'.repeat(5_000), ''])
      assert.equal(said(foreign), 'The payment was not accepted.')
  })

  it('never mean success: only the server confirms a payment', () => {
    for (const ppp_status of ['OK', 'PENDING', '', 'toString', 7]) assert.equal(returnedFrom({ ppp_status }), null)
    assert.equal(returnedFrom({}), null)
  })

  it('are limited in length', () => {
    assert.equal(readable('Txn+declined++by   bank'), 'transaction declined by bank')
    assert.equal(readable('x'.repeat(5_000)).length, 200)
  })
})
