import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { createElement, Fragment } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { useFilePaste } from './use-file-paste.ts'

let root: Root
let taken: string[] = []
let focused: string | null = null
let full = new Set<string>()
let page: EventTarget

/** Two drop zones of one form, in the order of the page. */
const names = ['passport', 'proof']
const zones = names.map((name, place) => ({
  current: {
    place,
    contains: () => focused === name,
    compareDocumentPosition: (other: { place: number }) => (other.place > place ? 4 : 2),
  },
}))

function Zone({ place }: { place: number }) {
  const name = names[place] ?? ''
  const onPaste = () => {
    taken.push(name)
    full = new Set([...full, name])
    show()
  }
  useFilePaste({ zone: zones[place] as never, isOn: !full.has(name), onPaste })
  return null
}
const show = () =>
  flushSync(() =>
    root.render(
      createElement(Fragment, null, ...names.map((name, place) => createElement(Zone, { key: name, place }))),
    ),
  )
async function paste(files = 1): Promise<void> {
  page.dispatchEvent(
    Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { files: { length: files } } }),
  )
  // React runs the effects of a zone that has become full in a later task.
  await new Promise((resolve) => setImmediate(resolve))
}

beforeEach(async () => {
  ;[taken, focused, full] = [[], null, new Set()]
  page = Object.assign(new EventTarget(), { querySelectorAll: () => [], activeElement: null })
  Object.assign(globalThis, { window: {}, document: page })
  root = createRoot(makePageElement() as never)
  show()
  await new Promise((resolve) => setImmediate(resolve))
})
afterEach(() => {
  flushSync(() => root.unmount())
  Reflect.deleteProperty(globalThis, 'document')
})

it('a pasted file goes into one zone, the first that is empty', async () => {
  await paste()
  assert.deepEqual(taken, ['passport'])
  await paste()
  await paste()
  assert.deepEqual(taken, ['passport', 'proof'])
})

it('a pasted file goes into the zone with the focus', async () => {
  focused = 'proof'
  await paste()
  assert.deepEqual(taken, ['proof'])
})

it('pasted text goes into none', async () => {
  await paste(0)
  assert.deepEqual(taken, [])
})
