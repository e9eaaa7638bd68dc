// spec: MP 5, MP 8, AO 8
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { checkDraft, type DepositDraft, depositFieldFor, emptyDraft, otherOrigin, toBody } from './deposit-draft.ts'

const id = '0192f0c1-7b1e-7000-8000-000000000001'
const full: DepositDraft = {
  accountId: id,
  amount: '250.00',
  comment: 'March transfer',
  originChoice: id,
  origin: '',
  beneficiaryId: id,
  fileId: id,
}

describe('checkDraft of a deposit', () => {
  it('reports every missing field', () => {
    assert.deepEqual(checkDraft({ ...emptyDraft, accountId: null }, null), {
      account: [texts.fieldsMissing],
      amount: [texts.amountMissing],
      originChoice: [texts.fieldsMissing],
      beneficiaryId: [texts.fieldsMissing],
      comment: [texts.fieldsMissing],
      receipt: [texts.receiptMissing],
    })
  })

  it('accepts a complete form', () => assert.deepEqual(checkDraft(full, 'USD'), {}))

  for (const [amount, message] of [
    ['0', texts.amountZero],
    ['0.00', texts.amountZero],
    ['0.001', texts.amountInvalid],
    ['.', texts.amountInvalid],
    ['250.', texts.amountInvalid],
    ['9999999999', texts.amountInvalid],
  ] as const)
    it(`reports an error for the amount ${amount}`, () =>
      assert.deepEqual(checkDraft({ ...full, amount }, 'USD'), { amount: [message] }))

  it('requires the typed account when "another" is chosen', () => {
    const draft = { ...full, originChoice: otherOrigin }
    assert.deepEqual(checkDraft({ ...draft, origin: '  ' }, 'USD'), { origin: [texts.fieldsMissing] })
    assert.deepEqual(checkDraft({ ...draft, origin: 'NL91 ABNA' }, 'USD'), {})
    assert.equal('origin_id' in toBody({ ...draft, origin: 'x' }), false)
  })
})

test('maps a server error about the origin to the field that is shown', () => {
  for (const name of ['origin', 'origin_id']) {
    assert.equal(depositFieldFor(name, full), 'originChoice')
    assert.equal(depositFieldFor(name, { originChoice: otherOrigin }), 'origin')
  }
  assert.equal(depositFieldFor('files.0', full), 'receipt')
  assert.equal(depositFieldFor('nonce_token', full), null)
})
