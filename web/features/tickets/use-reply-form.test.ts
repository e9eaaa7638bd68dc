// spec: MP 4, DK tickets
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { startTransport } from '../../api/transport.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { type Answered, useReplyForm } from './use-reply-form.ts'

const ticket: Answered = { _id: '0199a1b2-0000-7000-8000-000000000001', merged_into: null }
const merged: Answered = { ...ticket, merged_into: { _id: '0199a1b2-0000-7000-8000-000000000002', ticket: '1002' } }

type Sent = { _id: string; response: { content: string } }

let root: Root
let form: ReturnType<typeof useReplyForm>
let sent: Sent[] = []
let done: string[] = []
const rendered = new Set<() => void>()

async function serve(_address: string, { body }: { body: string }): Promise<Response> {
  const reply = JSON.parse(body) as Sent
  sent.push(reply)
  const answered = { _id: reply._id, ticket: '1002', status: 'open', priority: 'low' }
  return Response.json({ status: 'ok', msg: [], ticket: answered, message: { uid: crypto.randomUUID() } })
}
function Shown({ of }: { of: Answered }) {
  const shown = useReplyForm(of, (id) => done.push(id))
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
const show = (of: Answered) =>
  flushSync(() =>
    root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, { of }))),
  )

beforeEach(() => {
  ;[sent, done] = [[], []]
  Object.assign(globalThis, {
    ...{ window: {}, document: { querySelector: () => null } },
    location: new URL('http://harbour.localhost/'),
  })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  root = createRoot(makePageElement() as never)
  show(ticket)
})
afterEach(() => {
  flushSync(() => root.unmount())
  mock.restoreAll()
  // React still reads `window` after a root is unmounted.
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
})

it('a reply that is typed while staff merge the ticket stays, and goes to the ticket that continues it', async () => {
  flushSync(() => form.change({ content: 'The card is from Malta.' }))
  show(merged)
  assert.deepEqual([form.isShown, form.values.content], [true, 'The card is from Malta.'])
  flushSync(() => form.submit())
  await until(() => done.length > 0 && !form.isSubmitting)
  assert.deepEqual(
    sent.map(({ _id, response }) => [_id, response.content]),
    [[merged.merged_into?._id, 'The card is from Malta.']],
  )
  assert.deepEqual(done, [merged.merged_into?._id])
  assert.equal(form.isShown, false)
})

it('a merged ticket offers no reply when none was begun', () => {
  show(merged)
  assert.equal(form.isShown, false)
})
