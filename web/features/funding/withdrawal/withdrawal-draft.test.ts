// spec: AO 2.4, AO 4, AO 5
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import {
  checkWithdrawal,
  emptyWithdrawal,
  toWithdrawalBody,
  withChange,
  withoutBeneficiary,
} from './withdrawal-draft.ts'

const live = { id: '019a0000-0000-7000-8000-000000000001', currency: 'USD', isLive: true }
const bank = '019a0000-0000-7000-8000-000000000002'
const whole = { ...emptyWithdrawal, amount: '10', comment: 'Roof', destination: 'bank_account', beneficiaryId: bank }

test('changing the kind of beneficiary clears the chosen beneficiary; choosing the same kind does not', () => {
  assert.equal(withChange(whole, { destination: 'crypto_transfer' }).beneficiaryId, null)
  assert.equal(withChange(whole, { destination: 'bank_account' }).beneficiaryId, bank)
  assert.deepEqual(withoutBeneficiary(whole), { ...whole, destination: null, beneficiaryId: null })
})

test('reports every missing field, and accepts a complete form', () => {
  assert.deepEqual(checkWithdrawal(whole, live), {})
  const { destination, comment, amount } = checkWithdrawal(emptyWithdrawal, live)
  assert.deepEqual(
    [destination, comment, amount],
    [[withdrawalTexts.beneficiaryMissing], [texts.fieldsMissing], [texts.amountInvalid]],
  )
  assert.deepEqual(checkWithdrawal({ ...whole, beneficiaryId: null }, live).beneficiaryId, [
    withdrawalTexts.beneficiaryUnknown,
  ])
  assert.deepEqual(checkWithdrawal({ ...whole, destination: 'crypto_transfer', isInCoins: true }, live).coin, [
    withdrawalTexts.coinMissing,
  ])
  assert.deepEqual(checkWithdrawal({ ...whole, amount: '0.001' }, live).amount, [texts.amountInvalid])
})

test('reports the beneficiary as required on an untouched form', () => {
  assert.deepEqual(checkWithdrawal(emptyWithdrawal, null).destination, ['Destination is required.'])
})

test('sends no beneficiary for a demo account', () => {
  const demo = { ...live, isLive: false }
  assert.deepEqual(checkWithdrawal({ ...whole, destination: null, beneficiaryId: null }, demo), {})
  assert.equal('destination' in toWithdrawalBody(whole, demo), false)
})
