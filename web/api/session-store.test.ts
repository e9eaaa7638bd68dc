// spec: MP 4, DK session
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { replaceGlobals } from '../../tests/fixtures/page-element.ts'
import { memoryStorage } from '../page-under-test.ts'
import { createSessionStore, watchReturns } from './session-store.ts'

const amelia = { userId: 'amelia', token: 'a' }
const tomas = { userId: 'tomas', token: 't' }
const searched = '/members?q=Hart&page=2#row'

describe('the redirect target', () => {
  it('keeps the full path of a link opened before the first sign-in', () => {
    const store = createSessionStore('desk', memoryStorage())
    store.rememberTarget(searched)
    store.write(amelia)
    assert.equal(store.takeTarget(), searched)
    assert.equal(store.takeTarget(), null)
  })

  it('keeps the full path after an expired session for the same user only', () => {
    for (const [next, expected] of [
      [amelia, searched],
      [tomas, '/members'],
    ] as const) {
      const store = createSessionStore('desk', memoryStorage())
      store.write(amelia)
      store.clear()
      store.rememberTarget(searched)
      store.write(next)
      assert.equal(store.takeTarget(), expected)
    }
  })

  it('drops the target on sign-out and stores paths without their query until the next sign-in', () => {
    const storage = memoryStorage()
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

  it('keeps the reason why the session ended until the next sign-in or sign-out', () => {
    const store = createSessionStore('portal', memoryStorage())
    assert.deepEqual([store.isUnused(), store.endedOf(), store.whyOver()], [true, '', ''])
    store.write(amelia)
    store.clear('Too late.')
    store.clear()
    store.clear('Please sign in.')
    assert.deepEqual([store.isUnused(), store.endedOf(), store.whyOver()], [false, 'amelia', 'Too late.'])
    store.write(amelia)
    assert.deepEqual([store.endedOf(), store.whyOver()], ['', ''])
    store.clear('Too late.')
    store.leave()
    assert.deepEqual([store.isUnused(), store.endedOf(), store.whyOver()], [false, '', ''])
  })

  it('keeps the target while the user is asked for a second factor', () => {
    const store = createSessionStore('desk', memoryStorage())
    store.write(amelia)
    store.rememberTarget(searched)
    assert.equal(store.takeTarget(), searched)
  })
})

describe('a page that comes back from the back/forward cache', () => {
  type Listener = (event: { persisted: boolean }) => void
  const listeners = new Map<string, Listener>()
  let reloads = 0
  let restoreGlobals: () => void
  const reload = () => {
    reloads++
  }
  const comeBack = ({ isKept = true } = {}) => listeners.get('pageshow')?.({ persisted: isKept })
  beforeEach(() => {
    reloads = 0
    listeners.clear()
    const addEventListener = (type: string, listener: Listener) => listeners.set(type, listener)
    restoreGlobals = replaceGlobals({ addEventListener })
  })
  afterEach(() => restoreGlobals())

  it('reloads when the session changed in the meantime', () => {
    const store = createSessionStore('portal', memoryStorage())
    store.write(amelia)
    watchReturns(store, reload)
    listeners.get('pagehide')?.({ persisted: true })
    comeBack()
    assert.equal(reloads, 0)
    store.write(tomas)
    comeBack({ isKept: false })
    assert.equal(reloads, 0)
    comeBack()
    assert.equal(reloads, 1)
  })

  it('reloads an entrance while somebody is signed in, even if they signed in on it', () => {
    const store = createSessionStore('portal', memoryStorage())
    watchReturns(store, reload, { isEntrance: true })
    listeners.get('pagehide')?.({ persisted: true })
    comeBack()
    assert.equal(reloads, 0)
    store.write(amelia)
    listeners.get('pagehide')?.({ persisted: true })
    comeBack({ isKept: false })
    assert.equal(reloads, 0)
    comeBack()
    assert.equal(reloads, 1)
  })
})
