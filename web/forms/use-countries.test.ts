import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { startTransport } from '../api/transport.ts'
import { queryClient } from '../ui/lists/query-client.ts'
import '../ui/text/i18n.ts'
import { makePageElement } from '../../tests/fixtures/page-element.ts'
import { useCountries } from './use-countries.ts'

let root: Root
let field: ReturnType<typeof useCountries>
let isBroken = true
const rendered = new Set<() => void>()

function Field() {
  const shown = useCountries('Please select a country.')
  useLayoutEffect(() => {
    field = shown
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
const malta = { _id: 'MT', name: 'Malta', alpha_2: 'MT' }
const serve = async () =>
  isBroken
    ? Response.json({ code: 'not_permitted', error: texts.requestFailed }, { status: 403 })
    : Response.json({ status: 'ok', countries: [malta] })

beforeEach(() => {
  isBroken = true
  Object.assign(globalThis, {
    ...{ window: {}, document: { querySelector: () => null } },
    location: new URL('http://harbour.localhost/'),
  })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  root = createRoot(makePageElement() as never)
  flushSync(() => root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Field))))
})
afterEach(() => {
  flushSync(() => root.unmount())
  queryClient.clear()
  mock.restoreAll()
  // React still reads `window` after a root is unmounted.
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
})

it('a list of countries that did not load says so, and loads when the field is opened again', async () => {
  await until(() => field.error === texts.requestFailed)
  assert.deepEqual(field.data, [])
  isBroken = false
  field.onDropdownOpen()
  await until(() => field.data.length > 0)
  assert.deepEqual(field.data, [{ value: 'MT', label: 'Malta' }])
  assert.equal(field.error, 'Please select a country.')
})
