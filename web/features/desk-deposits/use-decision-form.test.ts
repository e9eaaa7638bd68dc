import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { QueryObserver } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useDecisionForm } from './use-decision-form.ts'
import { type DeskDeposit, depositQuery } from './use-desk-deposits.ts'

const _id = '0199a1b2-0000-7000-8000-000000000001'
const depositAt = (approvals: number, state: DeskDeposit['state'] = 'pending') =>
  ({ _id, ticket: '1042', state, approvals, approvals_needed: 2 }) as DeskDeposit

let shown: ReturnType<typeof useDecisionForm<{ note: string }>>
let refusal: string
let wasOvertaken = false
let sent: { seen: number; note: string }[] = []
let closePage: () => void
let closeDeposit: () => void
const page = hookUnderTest(
  () =>
    useDecisionForm({
      deposit: depositAt(0),
      start: { note: '' },
      labels: { note: 'Note' },
      decisionOf: ({ note }, { approvals }) => ({ do: 'reject', seen: approvals, reason: 'other', note }),
      doneAs: () => '',
      onDecided: () => undefined,
      onOvertaken: () => {
        wasOvertaken = true
      },
    }),
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
  wasOvertaken = false
  closePage = openPage(async (_address, { body }: { body: string }) => {
    // Answers after the page has shown that it waits.
    await new Promise((resolve) => setTimeout(resolve, 5))
    sent.push(JSON.parse(body) as (typeof sent)[number])
    return Response.json({ code: 'conflict', error: refusal }, { status: 409 })
  })
  // The page behind the dialog, which reads the deposit again after a refusal.
  const deposit = new QueryObserver(queryClient, {
    queryKey: depositQuery(_id).queryKey,
    queryFn: async () =>
      sent.length === 0 ? depositAt(0) : depositAt(1, refusal === deskTexts.decidedAlready ? 'crediting' : 'pending'),
  })
  closeDeposit = deposit.subscribe(() => undefined)
  page.show()
  flushSync(() => shown.form.change({ note: 'The receipt is of another account.' }))
})
afterEach(() => {
  page.close()
  closeDeposit()
  queryClient.clear()
  closePage()
})

it('a refusal for a reason of its own stays in the dialog and is not taken for a decision of a colleague', async () => {
  refusal = deskTexts.depositAccountClosed
  await submit()
  assert.deepEqual([wasOvertaken, shown.form.refusal, shown.deposit.approvals], [false, [refusal], 0])
})

it('after the refusal that tells of newer approvals the dialog shows and sends them, with the note', async () => {
  refusal = moneyDecisionTexts.approvedMeanwhile
  await submit()
  assert.deepEqual([wasOvertaken, shown.form.refusal, shown.deposit.approvals], [false, [refusal], 1])
  await submit()
  assert.deepEqual(
    sent.map(({ seen, note }) => [seen, note]),
    [
      [0, 'The receipt is of another account.'],
      [1, 'The receipt is of another account.'],
    ],
  )
})

it('an earlier decision of a colleague closes the dialog', async () => {
  refusal = deskTexts.decidedAlready
  await submit()
  assert.equal(wasOvertaken, true)
})
