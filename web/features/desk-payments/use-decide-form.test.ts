import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { type DeskException, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { QueryObserver } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useDecideForm } from './use-decide-form.ts'
import { waitingExceptions } from './use-payments.ts'

const _id = '0199a1b2-0000-7000-8000-000000000001'
const open = { _id, state: 'open', decision: null, proposed_by: null, payout: null } as unknown as DeskException
const proposed = { ...open, state: 'proposed', decision: 'explained', proposed_by: 'Ben' } as DeskException

let shown: ReturnType<typeof useDecideForm>
let sent: { seen: string | null; note: string }[] = []
let refusal: string
let closePage: () => void
let closeList: () => void
const page = hookUnderTest(
  () => useDecideForm(open, () => undefined),
  (now) => {
    shown = now
  },
)

async function submit(): Promise<void> {
  flushSync(() => shown.form.submit())
  await page.until(() => shown.form.isSubmitting)
  await page.until(() => !shown.form.isSubmitting)
}

beforeEach(() => {
  sent = []
  closePage = openPage(async (_address, { body }: { body: string }) => {
    // Answers after the page has shown that it waits.
    await new Promise((resolve) => setTimeout(resolve, 5))
    sent.push(JSON.parse(body) as (typeof sent)[number])
    return Response.json({ code: 'conflict', error: refusal }, { status: 409 })
  })
  const list = new QueryObserver(queryClient, {
    queryKey: [waitingExceptions.key, {}],
    queryFn: async () => ({ rows: sent.length === 0 ? [open] : [proposed] }),
  })
  closeList = list.subscribe(() => undefined)
  page.show()
  flushSync(() => shown.form.change({ decision: 'explained', note: 'A duplicate of T-1042.' }))
})
afterEach(() => {
  page.close()
  closeList()
  queryClient.clear()
  closePage()
})

it('after the refusal that tells of the proposal of a colleague the dialog shows and answers it', async () => {
  refusal = exceptionTexts.proposedMeanwhile
  await submit()
  assert.deepEqual([shown.asked.proposed_by, shown.form.refusal], ['Ben', [refusal]])
  await submit()
  assert.deepEqual(
    sent.map(({ seen, note }) => [seen, note]),
    [
      [null, 'A duplicate of T-1042.'],
      ['explained', 'A duplicate of T-1042.'],
    ],
  )
})

it('another refusal does not second a proposal that nobody was told of', async () => {
  refusal = 'Another reason.'
  await submit()
  assert.equal(shown.asked.state, 'open')
})
