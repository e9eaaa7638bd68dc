import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { watchFilesOwner } from './files-owner.ts'
import { announceSignIn } from './last-sign-in.ts'

const stored = new Map<string, string>()
const browser = new EventTarget()
const globals = {
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      stored.set(key, value)
      browser.dispatchEvent(Object.assign(new Event('storage'), { key }))
    },
  },
  addEventListener: browser.addEventListener.bind(browser),
  removeEventListener: browser.removeEventListener.bind(browser),
}
let restoreGlobals: () => void
before(() => {
  restoreGlobals = replaceGlobals(globals)
})
after(() => restoreGlobals())

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  stored.clear()
})

function tabOf(userId: string) {
  let told = 0
  stops.push(
    watchFilesOwner(userId, () => {
      told += 1
    }),
  )
  return { timesTold: () => told }
}

it('tells the first tab once that another member signed in, and not the tab of that member', () => {
  announceSignIn('amelia')
  const first = tabOf('amelia')
  announceSignIn('tomas')
  const second = tabOf('tomas')
  announceSignIn('nadia')
  assert.deepEqual([first.timesTold(), second.timesTold()], [1, 1])
})

it('tells a tab that is opened or reloaded afterwards', () => {
  announceSignIn('tomas')
  assert.deepEqual([tabOf('amelia').timesTold(), tabOf('tomas').timesTold()], [1, 0])
})

it('says nothing while one member uses the browser, and after the tab is left', () => {
  announceSignIn('amelia')
  const tab = tabOf('amelia')
  announceSignIn('amelia')
  stops.pop()?.()
  announceSignIn('tomas')
  assert.equal(tab.timesTold(), 0)
})
