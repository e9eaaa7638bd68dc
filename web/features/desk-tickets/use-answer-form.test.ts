// spec: DK tickets
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { startTransport } from '../../api/transport.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useAnswerForm } from './use-answer-form.ts'

let root: Root
let form: ReturnType<typeof useAnswerForm>
let restore: () => void
const rendered = new Set<() => void>()

/** The ticket as far as the form reads it. */
const ticketAs = (state: DeskTicket['state']) =>
  ({ _id: '0199a1b2-0000-7000-8000-000000000001', state, messages: 1 }) as unknown as DeskTicket

/** A closed ticket takes no answer. */
async function serve(): Promise<Response> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  return Response.json({ code: 'illegal_move', error: 'This ticket is closed.' }, { status: 409 })
}
function Shown({ ticket }: { ticket: DeskTicket }) {
  const shown = useAnswerForm(ticket)
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
const show = (ticket: DeskTicket) =>
  flushSync(() =>
    root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, { ticket }))),
  )

beforeEach(() => {
  restore = replaceGlobals({
    window: {},
    document: { querySelector: () => null },
    location: new URL('http://harbour.localhost/'),
  })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  root = createRoot(makePageElement() as never)
  show(ticketAs('open'))
})
afterEach(() => {
  flushSync(() => root.unmount())
  mock.restoreAll()
  restore()
})

it('an answer that is being written stays when a colleague closes or merges the ticket', async () => {
  flushSync(() => form.change({ content: 'The card is from Malta.' }))
  show(ticketAs('closed'))
  assert.deepEqual([form.isShown, form.values.content], [true, 'The card is from Malta.'])
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
  assert.deepEqual(
    [form.isShown, form.values.content, form.refusal],
    [true, 'The card is from Malta.', ['This ticket is closed.']],
  )
})

it('a closed ticket offers no answer when none was begun', () => {
  show(ticketAs('closed'))
  assert.equal(form.isShown, false)
})
