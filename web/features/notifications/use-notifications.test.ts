import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { nextToast } from '../../toast-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useNotificationList, useReading } from './use-notifications.ts'

let closePage: () => void
let shown: ReturnType<typeof useNotificationList> & ReturnType<typeof useReading>
const one = {
  ...{ _id: '0190a0b0-0000-7000-8000-000000000001', number: 7, kind: 'ticket.answered', group: 'support' },
  ...{ title: 'Answered', body: '', details: {}, target: { kind: 'ticket' }, read: false, created_at: 1 },
}

const { show, until, close } = hookUnderTest(
  () => ({ ...useNotificationList({ isUnreadOnly: false }), ...useReading() }),
  (now) => (shown = now),
)

/** Only the first page arrives. */
async function serve(address: string, { method }: { method: string }): Promise<Response> {
  if (method === 'GET' && !address.includes('before='))
    return Response.json({ status: 'ok', notices: [one], more: true, unread: 1, number: 7 })
  return Response.json({ code: 'not_permitted', error: texts.requestFailed }, { status: 403 })
}

beforeEach(async () => {
  closePage = openPage(serve)
  show()
  await until(() => shown.list.data !== undefined)
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
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
