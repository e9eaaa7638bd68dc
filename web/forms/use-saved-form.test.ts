// spec: DK workspace
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { flushSync } from 'react-dom'
import { ApiError } from '../api/api-error.ts'
import { hookUnderTest } from '../hook-under-test.ts'
import { openPage } from '../page-under-test.ts'
import '../ui/text/i18n.ts'
import { useSavedForm } from './use-saved-form.ts'

type Written = { fee: string; secret: string }
type Stored = { version: number; fee: string }

let form: ReturnType<typeof useSavedForm<Stored, Written, keyof Written>>
let closePage: () => void
let stored: Stored = { version: 1, fee: '0' }
let isReachable = true
let isAnswered = true
let hasArrived = true

async function save(fee: string, version: number): Promise<Stored> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (!hasArrived) throw new ApiError({ code: 'unreachable', message: texts.requestFailed })
  if (version !== stored.version) throw new ApiError({ code: 'conflict', message: 'Changed.', status: 409 })
  stored = { version: version + 1, fee }
  if (!isAnswered) throw new ApiError({ code: 'unreachable', message: texts.requestFailed })
  return stored
}
async function readAgain(): Promise<Stored> {
  if (!isReachable) throw new ApiError({ code: 'unreachable', message: texts.requestFailed })
  return stored
}
const useForm = (of: Stored) =>
  useSavedForm<Stored, Written, keyof Written>({
    stored: of,
    labels: { fee: 'Fee', secret: 'Secret' },
    // A secret is written, and never shown.
    valuesOf: ({ fee }) => ({ fee, secret: '' }),
    send: ({ fee }, version) => save(fee, version),
    keep: () => undefined,
    readAgain,
  })
const { show, until, close } = hookUnderTest(useForm, (shown) => (form = shown))
async function submit(): Promise<void> {
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

beforeEach(() => {
  stored = { version: 1, fee: '0' }
  isReachable = true
  isAnswered = true
  hasArrived = true
  closePage = openPage(() => undefined)
  show(stored)
})
afterEach(() => {
  close()
  closePage()
})

it('shows what a colleague has saved, and saves on top of it', async () => {
  stored = { version: 2, fee: '2' }
  show(stored)
  assert.deepEqual([form.values.fee, form.isDirty], ['2', false])
  flushSync(() => form.change({ fee: '3' }))
  await submit()
  assert.deepEqual([stored, form.isLate], [{ version: 3, fee: '3' }, false])
})

it('keeps unsaved edits, and does not save them over the colleague’s', async () => {
  flushSync(() => form.change({ fee: '3' }))
  stored = { version: 2, fee: '2' }
  show(stored)
  assert.equal(form.values.fee, '3')
  await submit()
  assert.deepEqual([form.isLate, form.values.fee, stored.fee], [true, '3', '2'])
})

it('says when the colleague’s values cannot be loaded', async () => {
  flushSync(() => form.change({ fee: '3' }))
  stored = { version: 2, fee: '2' }
  await submit()
  isReachable = false
  await form.reload()
  await until(() => form.refusal.includes(texts.requestFailed))
  assert.deepEqual([form.isLate, form.values.fee], [true, '3'])
  isReachable = true
  await form.reload()
  await until(() => form.values.fee === '2')
  assert.deepEqual([form.isLate, form.isDirty], [false, false])
})

it('keeps what was typed in the fields that the colleague has not changed', async () => {
  flushSync(() => form.change({ fee: '3', secret: 'typed' }))
  stored = { version: 2, fee: '2' }
  await submit()
  assert.equal(form.isLate, true)
  await form.reload()
  await until(() => !form.isLate)
  assert.deepEqual([form.values, form.isDirty], [{ fee: '2', secret: 'typed' }, true])
})

it('takes its own values, saved without an answer, for no colleague’s', async () => {
  isAnswered = false
  flushSync(() => form.change({ fee: '5' }))
  await submit()
  isAnswered = true
  flushSync(() => form.change({ fee: '7' }))
  await submit()
  assert.equal(form.isLate, true)
  await form.reload()
  await until(() => !form.isLate)
  assert.equal(form.values.fee, '7')
  await submit()
  assert.deepEqual(stored, { version: 3, fee: '7' })
})

it('keeps what it has sent in vain, when a colleague has saved something else meanwhile', async () => {
  hasArrived = false
  flushSync(() => form.change({ secret: 'typed' }))
  await submit()
  hasArrived = true
  stored = { version: 2, fee: '2' }
  await submit()
  await form.reload()
  await until(() => !form.isLate)
  assert.deepEqual([form.values, form.isDirty], [{ fee: '2', secret: 'typed' }, true])
})
