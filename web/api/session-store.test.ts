// spec: MP 4, DK session
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSessionStore } from './session-store.ts'

function memory(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
    clear: () => kept.clear(),
  } satisfies Storage
}

const amelia = { userId: 'amelia', token: 'a' }
const tomas = { userId: 'tomas', token: 't' }
const searched = '/members?q=Hart&page=2#row'

describe('where somebody wanted to go', () => {
  it('is kept whole for a link that was opened before anybody signed in', () => {
    const store = createSessionStore('desk', memory())
    store.rememberTarget(searched)
    store.write(amelia)
    assert.equal(store.takeTarget(), searched)
    assert.equal(store.takeTarget(), null)
  })

  it('is kept whole when a session has run out, for the person whose it was', () => {
    for (const [next, expected] of [
      [amelia, searched],
      [tomas, '/members'],
    ] as const) {
      const store = createSessionStore('desk', memory())
      store.write(amelia)
      store.clear()
      store.rememberTarget(searched)
      store.write(next)
      assert.equal(store.takeTarget(), expected)
    }
  })

  it('is forgotten by whoever leaves, and kept without its search until somebody is there again', () => {
    const storage = memory()
    const store = createSessionStore('desk', storage)
    store.write(amelia)
    store.rememberTarget(searched)
    store.leave()
    assert.equal(store.read(), null)
    assert.equal(store.takeTarget(), null)
    store.rememberTarget(searched)
    assert.ok(
      ![...Array(storage.length).keys()].some((index) => storage.getItem(storage.key(index) ?? '')?.includes('q=')),
    )
    store.write(tomas)
    assert.equal(store.takeTarget(), '/members')
    store.clear()
    store.rememberTarget(searched)
    store.write(tomas)
    assert.equal(store.takeTarget(), searched)
  })

  it('is there with the reason why the session is over, until somebody is in or leaves', () => {
    const store = createSessionStore('portal', memory())
    assert.deepEqual([store.isUnused(), store.endedOf(), store.whyOver()], [true, '', ''])
    store.write(amelia)
    store.clear('Too late.')
    store.clear()
    assert.deepEqual([store.isUnused(), store.endedOf(), store.whyOver()], [false, 'amelia', 'Too late.'])
    store.write(amelia)
    assert.deepEqual([store.endedOf(), store.whyOver()], ['', ''])
    store.clear('Too late.')
    store.leave()
    assert.deepEqual([store.isUnused(), store.endedOf(), store.whyOver()], [false, '', ''])
  })

  it('holds while the person is asked for a second factor', () => {
    const store = createSessionStore('desk', memory())
    store.write(amelia)
    store.rememberTarget(searched)
    assert.equal(store.takeTarget(), searched)
  })
})
