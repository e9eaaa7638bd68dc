import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { useDebouncedText } from './use-debounced-text.ts'

let root: Root
let field: ReturnType<typeof useDebouncedText>
let reported: string[] = []

function Field({ value }: { value: string }) {
  const shown = useDebouncedText(value, report, 100)
  useLayoutEffect(() => {
    field = shown
  })
  return null
}
const report = (text: string) => reported.push(text)

/** The address has this value now. */
async function show(value: string): Promise<void> {
  flushSync(() => root.render(createElement(Field, { value })))
  // React runs effects, and renders what they set, in later tasks.
  for (let tasks = 0; tasks < 3; tasks++) await new Promise((resolve) => setImmediate(resolve))
}
const type = (text: string) => flushSync(() => field.onChange({ currentTarget: { value: text } } as never))
const pause = () => mock.timers.tick(limits.filterDebounceMs)

beforeEach(async () => {
  reported = []
  mock.timers.enable({ apis: ['setTimeout'] })
  Object.assign(globalThis, { window: { ...globalThis } })
  root = createRoot(makePageElement() as never)
  await show('')
})
afterEach(() => {
  flushSync(() => root.unmount())
  mock.timers.reset()
})

it('keeps what is typed while the address takes up what was typed before', async () => {
  type('ab')
  pause()
  type('abc')
  await show('ab')
  assert.equal(field.value, 'abc')
  pause()
  await show('abc')
  assert.equal(field.value, 'abc')
  assert.deepEqual(reported, ['ab', 'abc'])
})

it('follows the address when it changes by itself', async () => {
  type('ab')
  pause()
  await show('ab')
  await show('')
  assert.equal(field.value, '')
  await show('ab')
  assert.equal(field.value, 'ab')
})
