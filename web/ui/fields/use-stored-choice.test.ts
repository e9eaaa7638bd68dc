import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { useStoredChoice } from './use-stored-choice.ts'

let root: Root
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

function Switch({ name }: { name: string }) {
  const [value, set] = useStoredChoice(name, true)
  useLayoutEffect(() => {
    choice = value
    choose = set
  })
  return null
}
const show = (name: string) => flushSync(() => root.render(createElement(Switch, { name })))

beforeEach(() => {
  stored.clear()
  isRefused = false
  otherTab = new EventTarget()
  restoreGlobals = replaceGlobals({
    localStorage: storage,
    addEventListener: otherTab.addEventListener.bind(otherTab),
    removeEventListener: otherTab.removeEventListener.bind(otherTab),
    window: { ...globalThis },
  })
  root = createRoot(makePageElement() as never)
})
afterEach(() => {
  flushSync(() => root.unmount())
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
