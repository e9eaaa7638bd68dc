import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { depositReport, detail, payoutReport } from './details.ts'

const attempt = 'dep-0123456789abcdef01234567'
/** As the vendor's plugin and public connectors read it. */
const answer = {
  clientUniqueId: attempt,
  transactionDetails: {
    ...{ transactionId: '9001', transactionStatus: 'APPROVED', transactionType: 'Sale' },
    ...{ processedAmount: '100.00', processedCurrency: 'USD' },
  },
  partialApproval: { requestedAmount: '100.0', requestedCurrency: 'USD' },
  paymentOption: { userPaymentOptionId: '77', card: { cardBrand: 'VISA' } },
}
const changed = (details: Record<string, unknown>) => ({
  ...answer,
  transactionDetails: { ...answer.transactionDetails, ...details },
})

describe('SafeCharge transaction details', () => {
  it('are read at the vendor’s paths and at those of older accounts', () => {
    const { state, amount, currency, reference, attempt: named } = depositReport(answer, null)
    assert.deepEqual([state, amount, currency, reference, named], ['paid', '100.00', 'USD', '9001', attempt])
    assert.equal(detail(answer, 'wayToPay'), '77')
    assert.equal(depositReport(answer, null).card, 'visa')
    const older = {
      transactionDetails: {
        ...{ clientUniqueId: attempt, pppTransactionId: '7001', transactionId: '9001', transactionStatus: 'APPROVED' },
        ...{ transactionType: 'Sale', amount: '100.00', currency: 'USD', userPaymentOptionId: 77 },
      },
    }
    const { card: _card, ...same } = depositReport(answer, null)
    assert.deepEqual(depositReport(older, null), { ...same, reference: '7001' })
    assert.equal(depositReport(older, '9001').reference, '9001')
    assert.equal(detail(older, 'wayToPay'), '77')
    assert.deepEqual(
      [payoutReport(answer).state, payoutReport(answer).amount, payoutReport(answer).reference],
      ['paid', '100.00', '9001'],
    )
  })

  it('yield null when two paths differ or a value has an invalid format', () => {
    assert.equal(depositReport(changed({ processedAmount: '10.00' }), null).amount, null)
    assert.equal(depositReport(changed({ processedCurrency: 'EUR' }), null).currency, null)
    assert.equal(depositReport(changed({ clientUniqueId: 'dep-another' }), null).attempt, null)
    for (const processedAmount of ['1e2', '-100', '100,00', ['100.00'], { toString: '100.00' }])
      assert.notEqual(depositReport({ ...changed({ processedAmount }), partialApproval: {} }, null).amount, '100.00')
    assert.equal(detail({ paymentOption: { userPaymentOptionId: 'x y' } }, 'wayToPay'), null)
  })

  it('count as paid only for a sale', () => {
    const stateOf = (transactionType: unknown) => depositReport(changed({ transactionType }), null).state
    assert.deepEqual(['Sale', 'Settle', 'Auth', 'Credit'].map(stateOf), ['paid', 'paid', 'pending', 'returned'])
    for (const type of [undefined, '', 'Tomorrow', 7]) assert.equal(stateOf(type), 'unclear')
  })
})
