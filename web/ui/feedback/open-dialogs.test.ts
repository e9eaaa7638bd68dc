import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { act, createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { useTopDialog } from './open-dialogs.ts'

const inAct = (isOn: boolean) => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: isOn, window: {} })

type Shown = { lower: boolean; upper: boolean }

/** What each of two dialogs answers when it hears Escape. */
const isTop = { lower: () => false, upper: () => false }
const top = (): Shown => ({ lower: isTop.lower(), upper: isTop.upper() })

function Both({ lower, upper }: Shown) {
  const now = { lower: useTopDialog(lower), upper: useTopDialog(upper) }
  useLayoutEffect(() => {
    Object.assign(isTop, now)
  })
  return null
}

let root: ReturnType<typeof createRoot>
beforeEach(async () => {
  inAct(true)
  root = createRoot(makePageElement() as Element)
  await show({ lower: true, upper: false })
})
afterEach(async () => {
  await act(async () => root.unmount())
  // Other files of this process test without it.
  inAct(false)
})

const show = (shown: Shown) => act(async () => root.render(createElement(Both, shown)))

const nextTask = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))

it('lets Escape close only the dialog that was opened last', async () => {
  assert.equal(top().lower, true)
  await show({ lower: true, upper: true })
  assert.deepEqual(top(), { lower: false, upper: true })
})

it('keeps the dialog below from the key press that closed the one above', async () => {
  await show({ lower: true, upper: true })
  // The listener of the dialog below hears the key press after the one above has rendered as closed.
  inAct(false)
  flushSync(() => root.render(createElement(Both, { lower: true, upper: false })))
  inAct(true)
  assert.equal(top().lower, false)
  await nextTask()
  assert.equal(top().lower, true)
})

it('is the rule of every dialog that opens above another one or has another above it', () => {
  const web = join(import.meta.dirname, '../..')
  const stacked = [
    'ui/forms/form-dialog.tsx',
    'ui/feedback/confirm-dialog.tsx',
    'features/security/proof-dialog.tsx',
    'features/security/security-section.tsx',
    'features/funding/deposit/continue-payment.tsx',
    'portal/opened-transaction.tsx',
  ]
  for (const file of stacked)
    assert.match(readFileSync(join(web, file), 'utf8'), /onClose=\{\(\) => isTop\(\) && /, file)
})

it('closes with the row that it is about: the detail of a list of the desk begins anew with each row', () => {
  const web = join(import.meta.dirname, '../..')
  const files = globSync('features/desk-*/*.tsx', { cwd: web })
  const details = files.flatMap((file) => {
    const source = readFileSync(join(web, file), 'utf8')
    return [...source.matchAll(/detail=\{\(\w+[^)]*\) => \(?\s*<(\w+)([^>]*)/g)].map(([, name = '', props = '']) => {
      const [, body = ''] = source.split(`function ${name}(`)
      return { file, holdsState: /\buseState\b/.test(body.split('\n}\n')[0] ?? ''), props }
    })
  })
  assert.ok(details.length >= 7, `only ${details.length} were found`)
  assert.deepEqual(
    details.filter(({ holdsState, props }) => holdsState && !/\bkey=\{/.test(props)).map(({ file }) => file),
    [],
  )
})
