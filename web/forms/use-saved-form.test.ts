// spec: DK workspace
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../tests/fixtures/page-element.ts'
import { ApiError } from '../api/api-error.ts'
import { queryClient } from '../ui/lists/query-client.ts'
import '../ui/text/i18n.ts'
import { useSavedForm } from './use-saved-form.ts'

type Stored = { version: number; fee: string }

let root: Root
let form: ReturnType<typeof useSavedForm<Stored, { fee: string }, 'fee'>>
let restore: () => void
let stored: Stored = { version: 1, fee: '0' }
let isReachable = true
const rendered = new Set<() => void>()

async function save(fee: string, version: number): Promise<Stored> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (version !== stored.version) throw new ApiError({ code: 'conflict', message: 'Changed.', status: 409 })
  stored = { version: version + 1, fee }
  return stored
}
async function readAgain(): Promise<Stored> {
  if (!isReachable) throw new ApiError({ code: 'unreachable', message: texts.requestFailed })
  return stored
}
function Shown({ of }: { of: Stored }) {
  const shown = useSavedForm<Stored, { fee: string }, 'fee'>({
    stored: of,
    labels: { fee: 'Fee' },
    valuesOf: ({ fee }) => ({ fee }),
    send: ({ fee }, version) => save(fee, version),
    keep: () => undefined,
    readAgain,
  })
  useLayoutEffect(() => {
    form = shown
    for (const recheck of rendered) recheck()
  })
  return null
}
const until = (holds: () => boolean) =>
  new Promise<void>((resolve) => {
    const recheck = () => holds() && rendered.delete(recheck) && resolve()
    rendered.add(recheck)
    recheck()
  })
const show = (of: Stored) =>
  flushSync(() =>
    root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, { of }))),
  )
async function submit(): Promise<void> {
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

beforeEach(() => {
  stored = { version: 1, fee: '0' }
  isReachable = true
  restore = replaceGlobals({ window: {}, document: { querySelector: () => null } })
  root = createRoot(makePageElement() as never)
  show(stored)
})
afterEach(() => {
  flushSync(() => root.unmount())
  restore()
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
