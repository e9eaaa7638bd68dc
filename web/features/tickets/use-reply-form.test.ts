// spec: MP 4, DK tickets
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { type Answered, useReplyForm } from './use-reply-form.ts'

const ticket: Answered = { _id: '0199a1b2-0000-7000-8000-000000000001', merged_into: null }
const merged: Answered = { ...ticket, merged_into: { _id: '0199a1b2-0000-7000-8000-000000000002', ticket: '1002' } }

type Sent = { _id: string; response: { content: string } }

let closePage: () => void
let form: ReturnType<typeof useReplyForm>
let sent: Sent[] = []
let done: string[] = []

async function serve(_address: string, { body }: { body: string }): Promise<Response> {
  const reply = JSON.parse(body) as Sent
  sent.push(reply)
  const answered = { _id: reply._id, ticket: '1002', status: 'open', priority: 'low' }
  return Response.json({ status: 'ok', msg: [], ticket: answered, message: { uid: crypto.randomUUID() } })
}
const { show, until, close } = hookUnderTest(
  (of: Answered) => useReplyForm(of, (id) => done.push(id)),
  (shown) => (form = shown),
)

beforeEach(() => {
  ;[sent, done] = [[], []]
  closePage = openPage(serve)
  show(ticket)
})
afterEach(() => {
  close()
  closePage()
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
