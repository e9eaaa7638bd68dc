// spec: MP 4
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { rememberWatched, watchedBefore } from './watched-before.ts'

it('keeps the opening of a live account in mind while the page of demo accounts is visited', () => {
  const stored = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
  const restore = replaceGlobals({ sessionStorage })
  try {
    rememberWatched('live', 'opening-1')
    rememberWatched('demo', null)
    assert.deepEqual([watchedBefore('live'), watchedBefore('demo')], ['opening-1', null])
    rememberWatched('live', null)
    assert.equal(watchedBefore('live'), null)
  } finally {
    restore()
  }
})
