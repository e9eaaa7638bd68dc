import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerLabel } from './withdrawal-labels.ts'

test('a finding of the ledger check is a sentence, also one of a later version', () => {
  const kinds = ['unknown', 'twice', 'refused', 'other-amount', 'missing'].map((kind) => `${kind}-on-platform`)
  const sentences = kinds.map(ledgerLabel)
  assert.equal(new Set(sentences).size, kinds.length)
  for (const sentence of [...sentences, ledgerLabel('brand-new')]) assert.match(sentence, /^The .+ .+/)
})
