import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useStoredChoice } from './use-stored-choice.ts'

let choice: boolean
let choose: (value: boolean) => void
let otherTab: EventTarget
const stored = new Map<string, string>()
let isRefused = false
const refused = () => {
  if (isRefused) throw new Error('Storage is disabled')
}
const storage = {
  getItem: (key: string) => {
    refused()
    return stored.get(key) ?? null
  },
  setItem: (key: string, text: string) => {
    refused()
    stored.set(key, text)
  },
}
let restoreGlobals: () => void
const { show, close } = hookUnderTest(
  (name: string) => useStoredChoice(name, true),
  (shown) => {
    ;[choice, choose] = shown
  },
)

beforeEach(() => {
  stored.clear()
  isRefused = false
  otherTab = new EventTarget()
  restoreGlobals = replaceGlobals({
    localStorage: storage,
    addEventListener: otherTab.addEventListener.bind(otherTab),
    removeEventListener: otherTab.removeEventListener.bind(otherTab),
  })
})
afterEach(() => {
  close()
  restoreGlobals()
})

it('starts with the initial value and stores what is chosen', () => {
  show('keys')
  assert.equal(choice, true)
  flushSync(() => choose(false))
  assert.deepEqual([choice, stored.get('keys')], [false, 'false'])
})

it('follows another tab, and reads as initial what is no choice', () => {
  stored.set('keys', 'false')
  show('keys')
  assert.equal(choice, false)
  for (const [text, expected] of [
    ['true', true],
    ['false', false],
    ['{', true],
  ] as const) {
    stored.set('keys', text)
    flushSync(() => otherTab.dispatchEvent(new Event('storage')))
    assert.equal(choice, expected, text)
  }
})

it('keeps the choice for the page where storage is refused', () => {
  isRefused = true
  show('refused')
  flushSync(() => choose(false))
  assert.equal(choice, false)
})
