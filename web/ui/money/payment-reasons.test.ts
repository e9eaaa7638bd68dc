import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { otherReason } from '@atrium/contract/unknown-values.ts'
import { paymentReasonLabels, webhookReasonLabels } from './payment-reasons.ts'
import { typeLabel } from './transaction-type.ts'

const web = new URL('../../', import.meta.url)
const sources = globSync('{features,portal,desk,viewer,ui}/**/*.{ts,tsx}', { cwd: web.pathname })
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(new URL(path, web), 'utf8') }))
const filesWith = (text: string) => sources.filter((each) => each.text.includes(text)).map(({ path }) => path)

test('each reason of a payment is written in one place', () => {
  for (const text of Object.values(paymentReasonLabels))
    assert.deepEqual(filesWith(text), ['ui/money/payment-reasons.ts'], text)
})

test('a reason of a later version says that the page does not know it', () => {
  assert.equal(paymentReasonLabels.another_one, otherReason)
  assert.notEqual(webhookReasonLabels.another_one, otherReason)
  assert.equal(webhookReasonLabels.amount_differs, paymentReasonLabels.amount_differs)
})

test('only one place tells a withdrawal from a deposit in words', () => {
  assert.deepEqual([typeLabel('withdrawal'), typeLabel('deposit')], ['Withdrawal', 'Deposit'])
  const choosing = /\? *(?:t\()?'(?:Withdrawal|Deposit)'\)? *: *(?:t\()?'(?:Withdrawal|Deposit)'/
  const places = sources.filter(({ text }) => choosing.test(text)).map(({ path }) => path)
  assert.deepEqual(places, ['ui/money/transaction-type.ts'])
})
