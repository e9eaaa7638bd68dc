// spec: DK workspace
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../tests/fixtures/page-element.ts'
import { queryClient } from '../ui/lists/query-client.ts'
import { useSettingsTest } from './use-settings-test.ts'

let root: Root
let shownTest: ReturnType<typeof useSettingsTest<string>>
let restore: () => void
let result: () => Promise<string>
const rendered = new Set<() => void>()

function Shown({ version }: { version: number }) {
  const shown = useSettingsTest(version, () => result())
  useLayoutEffect(() => {
    shownTest = shown
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
const show = (version: number) =>
  flushSync(() =>
    root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, { version }))),
  )

beforeEach(() => {
  restore = replaceGlobals({ window: {}, document: { querySelector: () => null } })
  root = createRoot(makePageElement() as never)
  show(1)
})
afterEach(() => {
  flushSync(() => root.unmount())
  restore()
})

it('a result is not shown for settings that were saved after the test', async () => {
  result = async () => 'works'
  shownTest.run()
  await until(() => shownTest.answer === 'works')
  show(2)
  assert.deepEqual([shownTest.answer, shownTest.error], [undefined, null])
  shownTest.run()
  await until(() => shownTest.answer === 'works')
})

it('neither is an error', async () => {
  result = () => Promise.reject(new Error('No answer.'))
  shownTest.run()
  await until(() => shownTest.error?.message === 'No answer.')
  show(2)
  assert.deepEqual([shownTest.answer, shownTest.error], [undefined, null])
})
