import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { labelsOfTransaction } from './own-payments.ts'

test('names an unpaid deposit alike wherever members see it', () => {
  const deposit = { type: 'deposit', state: 'pending', payment_method: 'psp:skrill', timeline: [] }
  assert.equal(labelsOfTransaction(deposit).label, 'Awaiting payment')
  // By its state alone it would be called "Pending", as if our team had it.
  const cwd = `${import.meta.dirname}/../..`
  const places = globSync('{features,portal}/**/*.{ts,tsx}', { cwd })
  assert.deepEqual(
    places.filter((place) => readFileSync(`${cwd}/${place}`, 'utf8').includes('ownStateLabel')),
    [],
  )
})
