// spec: DK tickets
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CannedReply } from '@atrium/contract/tickets/desk-calls.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import { useArchiving, useCannedForm } from './use-canned-form.ts'

it('cancelling a canned reply asks before it drops what was written', async () => {
  const happened: string[] = []
  let answer = false
  const confirm = async ({ title }: { title: string }) => {
    happened.push(title)
    return answer
  }
  let form: ReturnType<typeof useCannedForm> | undefined
  const { show, close } = hookUnderTest(
    () =>
      useCannedForm({
        edited: 'new',
        tools: { confirm, onDirty: () => undefined },
        onDone: () => happened.push('left'),
      }),
    (shown) => (form = shown),
  )
  show()
  await form?.cancel()
  flushSync(() => form?.change({ content: 'Please send us' }))
  await form?.cancel()
  answer = true
  await form?.cancel()
  close()
  const question = 'Do you want to exit before saving?'
  assert.deepEqual(happened, ['left', question, question, 'left'])
})

it('a canned reply, which nothing restores, is archived only after a question', async () => {
  const sent: string[] = []
  const closePage = openPage((address) => {
    sent.push(address)
    return Response.json({ status: 'ok', replies: [] })
  })
  let answer = false
  let archiving: ReturnType<typeof useArchiving> | undefined
  const page = hookUnderTest(
    () => useArchiving({ confirm: async () => answer }),
    (shown) => (archiving = shown),
  )
  page.show()
  const reply = { _id: '0199a1b2-0000-7000-8000-000000000001', name: 'Greeting' } as CannedReply
  await archiving?.archive(reply)
  // A request would have been sent by then.
  await new Promise((resolve) => setTimeout(resolve))
  assert.deepEqual(sent, [])
  answer = true
  await archiving?.archive(reply)
  await page.until(() => sent.length === 1)
  page.close()
  queryClient.clear()
  closePage()
})
