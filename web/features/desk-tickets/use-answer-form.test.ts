// spec: DK tickets
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { useAnswerForm } from './use-answer-form.ts'

let form: ReturnType<typeof useAnswerForm>
let closePage: () => void

/** The ticket as far as the form reads it. */
const ticketAs = (state: DeskTicket['state']) =>
  ({ _id: '0199a1b2-0000-7000-8000-000000000001', state, messages: 1 }) as unknown as DeskTicket

/** A closed ticket takes no answer. */
async function serve(): Promise<Response> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  return Response.json({ code: 'illegal_move', error: 'This ticket is closed.' }, { status: 409 })
}
const { show, until, close } = hookUnderTest(useAnswerForm, (shown) => (form = shown))

beforeEach(() => {
  closePage = openPage(serve)
  show(ticketAs('open'))
})
afterEach(() => {
  close()
  closePage()
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
