import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { notificationsStore as toasts } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { startTransport } from '../../api/transport.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { useNotificationList, useReading } from './use-notifications.ts'

let root: Root
let shown: ReturnType<typeof useNotificationList> & ReturnType<typeof useReading>
const rendered = new Set<() => void>()
const one = {
  ...{ _id: '0190a0b0-0000-7000-8000-000000000001', number: 7, kind: 'ticket.answered', group: 'support' },
  ...{ title: 'Answered', body: '', details: {}, target: { kind: 'ticket' }, read: false, created_at: 1 },
}

function List() {
  const now = { ...useNotificationList({ isUnreadOnly: false }), ...useReading() }
  useLayoutEffect(() => {
    shown = now
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
const nextToast = () =>
  new Promise<unknown>((resolve) => {
    const stop = toasts.subscribe(({ notifications }) => {
      stop()
      resolve(notifications.at(-1)?.message)
    })
  })
/** Only the first page arrives. */
async function serve(address: string, { method }: { method: string }): Promise<Response> {
  if (method === 'GET' && !address.includes('before='))
    return Response.json({ status: 'ok', notices: [one], more: true, unread: 1, number: 7 })
  return Response.json({ code: 'not_permitted', error: texts.requestFailed }, { status: 403 })
}

beforeEach(async () => {
  Object.assign(globalThis, {
    ...{ window: {}, document: { querySelector: () => null } },
    location: new URL('http://harbour.localhost/'),
  })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  root = createRoot(makePageElement() as never)
  flushSync(() => root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(List))))
  await until(() => shown.list.data !== undefined)
})
afterEach(() => {
  flushSync(() => root.unmount())
  queryClient.clear()
  mock.restoreAll()
  // React still reads `window` after a root is unmounted.
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
})

it('says that the next notifications did not load, and keeps those before', async () => {
  const said = nextToast()
  await shown.showMore()
  assert.equal(await said, texts.requestFailed)
  assert.equal(shown.list.data?.pages.length, 1)
})

it('says that the notifications could not be marked as read', async () => {
  const said = nextToast()
  shown.readAll.mutate(7)
  assert.equal(await said, texts.requestFailed)
})
