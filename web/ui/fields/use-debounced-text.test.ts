import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useDebouncedText } from './use-debounced-text.ts'

let field: ReturnType<typeof useDebouncedText>
let reported: string[] = []
const report = (text: string) => reported.push(text)
const { show: render, close } = hookUnderTest(
  (value: string) => useDebouncedText(value, report, 100),
  (shown) => (field = shown),
)

/** The address has this value now. */
async function show(value: string): Promise<void> {
  render(value)
  // React runs effects, and renders what they set, in later tasks.
  for (let tasks = 0; tasks < 3; tasks++) await new Promise((resolve) => setImmediate(resolve))
}
const type = (text: string) => flushSync(() => field.onChange({ currentTarget: { value: text } } as never))
const pause = () => mock.timers.tick(limits.filterDebounceMs)

beforeEach(async () => {
  reported = []
  mock.timers.enable({ apis: ['setTimeout'] })
  Object.assign(globalThis, { window: { ...globalThis } })
  await show('')
})
afterEach(() => {
  close()
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
