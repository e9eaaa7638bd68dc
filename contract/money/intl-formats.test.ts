import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dateFormat, numberFormat } from './intl-formats.ts'

it('creates one format per language and shape', () => {
  const two = { minimumFractionDigits: 2 }
  assert.equal(numberFormat('en', two), numberFormat('en', { ...two }))
  assert.notEqual(numberFormat('en', two), numberFormat('de', two))
  assert.notEqual(numberFormat('en', two), numberFormat('en', { minimumFractionDigits: 3 }))
  assert.equal(dateFormat('en', { timeZone: 'UTC' }), dateFormat('en', { timeZone: 'UTC' }))
  assert.notEqual(dateFormat('en', { timeZone: 'UTC' }), dateFormat('en', { timeZone: 'Asia/Tokyo' }))
})

it('limits the number of cached formats', () => {
  const first = numberFormat('en', { maximumFractionDigits: 1 })
  for (let places = 0; places < 100; places += 1)
    for (const language of ['en', 'de', 'fr']) numberFormat(language, { maximumFractionDigits: places })
  assert.notEqual(numberFormat('en', { maximumFractionDigits: 1 }), first)
})
