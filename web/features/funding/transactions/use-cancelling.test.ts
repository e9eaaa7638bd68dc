import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../../hook-under-test.ts'
import { openPage } from '../../../page-under-test.ts'
import { queryClient } from '../../../ui/lists/query-client.ts'
import '../../../ui/text/i18n.ts'
import { useCancelling } from './use-cancelling.ts'

const id = '0199a1b2-0000-7000-8000-000000000001'
let shown: ReturnType<typeof useCancelling>
let closed = 0
let answer: () => void
let closePage: () => void
const { show, until, close } = hookUnderTest(
  () => useCancelling(() => (closed += 1)),
  (now) => (shown = now),
)
const untilCancelled = () =>
  new Promise<void>((resolve) => {
    const cache = queryClient.getMutationCache()
    const stop = cache.subscribe(({ mutation }) => {
      if (mutation?.state.status !== 'success') return
      stop()
      resolve()
    })
  })

beforeEach(() => {
  closed = 0
  const answered = new Promise<void>((resolve) => (answer = resolve))
  closePage = openPage(async () => {
    await answered
    return Response.json({ status: 'ok', msg: [] })
  })
  show()
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('a cancelled transaction closes its details', async () => {
  flushSync(() => shown.cancel(id))
  answer()
  await until(() => closed === 1)
})

it('a transaction whose details were left while it was cancelled does not close those of another', async () => {
  flushSync(() => shown.cancel(id))
  await until(() => shown.isPending)
  close()
  const cancelled = untilCancelled()
  answer()
  await cancelled
  assert.equal(closed, 0)
})
