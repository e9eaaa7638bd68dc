// spec: AO 8
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { notificationsStore as toasts } from '@mantine/notifications'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import '../text/i18n.ts'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { useCopy } from './use-copy.ts'

let root: Root
let copy: (text: string) => void
const navigated = Object.getOwnPropertyDescriptor(globalThis, 'navigator')

function Button() {
  const shown = useCopy()
  useLayoutEffect(() => {
    copy = shown.copy
  })
  return null
}
const withClipboard = (clipboard: object) =>
  Object.defineProperty(globalThis, 'navigator', { value: clipboard, configurable: true })
/** The message of the next toast. */
const nextToast = () =>
  new Promise<unknown>((resolve) => {
    const stop = toasts.subscribe(({ notifications }) => {
      stop()
      resolve(notifications.at(-1)?.message)
    })
  })

beforeEach(() => {
  Object.assign(globalThis, { window: { setTimeout: () => 0, clearTimeout: () => undefined } })
  root = createRoot(makePageElement() as never)
  flushSync(() => root.render(createElement(Button)))
})
afterEach(() => {
  flushSync(() => root.unmount())
  if (navigated) Object.defineProperty(globalThis, 'navigator', navigated)
})

it('says that a text was copied, only after it was', async () => {
  const written: string[] = []
  withClipboard({ clipboard: { writeText: async (text: string) => void written.push(text) } })
  const said = nextToast()
  copy('AAAA-BBBB')
  assert.equal(await said, texts.copied)
  assert.deepEqual(written, ['AAAA-BBBB'])
})

it('says when the browser refused, or has no clipboard', async () => {
  for (const clipboard of [{ clipboard: { writeText: () => Promise.reject(new Error('NotAllowed')) } }, {}]) {
    withClipboard(clipboard)
    const said = nextToast()
    copy('AAAA-BBBB')
    assert.equal(await said, texts.copyRefused)
  }
})

it('is the only way to the clipboard', () => {
  const web = join(import.meta.dirname, '../..')
  const direct = globSync('{api,desk,features,forms,portal,ui,viewer}/**/*.{ts,tsx}', { cwd: web }).filter(
    (path) => !path.includes('.test.') && readFileSync(join(web, path), 'utf8').includes('navigator.clipboard'),
  )
  assert.deepEqual(direct, [])
})
