import assert from 'node:assert/strict'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { type DeskWithdrawal, withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { startTransport } from '../../api/transport.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { type Question, useActForm } from './use-act-form.ts'
import { withdrawalQuery } from './use-desk-withdrawals.ts'

let root: Root
let shown: ReturnType<typeof useActForm>
let restore: () => void
let sent: { seen: number }[] = []
let refusal: string
const rendered = new Set<() => void>()

/** A pending withdrawal as far as the dialog reads it. */
const withdrawalAt = (approvals: number) =>
  ({
    ...{ _id: '0199a1b2-0000-7000-8000-000000000001', ticket: '1042', state: 'pending' },
    ...{ approvals, approvals_needed: 2, paid_by_hand: null, held_until: null, waits_for_identity: false },
  }) as unknown as DeskWithdrawal

async function serve(_address: string, { method, body }: { method: string; body: string }): Promise<Response> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (method === 'POST') sent.push(JSON.parse(body) as { seen: number })
  return Response.json({ code: 'conflict', error: refusal }, { status: 409 })
}
type ShownProps = { question: Question; withdrawal: DeskWithdrawal }
function Shown(asked: ShownProps) {
  const now = useActForm({ ...asked, reasonLabels: { reason: 'Reason', note: 'Note' }, onClose: () => undefined })
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
function show(asked: ShownProps): void {
  queryClient.setQueryData(withdrawalQuery(asked.withdrawal._id).queryKey, asked.withdrawal)
  flushSync(() => root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, asked))))
}

async function submit(): Promise<void> {
  flushSync(() => shown.form.submit())
  await until(() => shown.form.isSubmitting)
  await until(() => !shown.form.isSubmitting)
}

beforeEach(() => {
  sent = []
  refusal = moneyDecisionTexts.approvalsChanged
  restore = replaceGlobals({
    window: {},
    document: { querySelector: () => null },
    location: new URL('http://harbour.localhost/'),
  })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  root = createRoot(makePageElement() as never)
})
afterEach(() => {
  flushSync(() => root.unmount())
  queryClient.clear()
  mock.restoreAll()
  restore()
})

for (const question of ['approve', 'reject'] as const)
  it(`an approval of a colleague while the dialog is open does not change what this one does: ${question}`, async () => {
    show({ question, withdrawal: withdrawalAt(0) })
    flushSync(() => shown.form.change({ reason: 'withdrawal_other' }))
    show({ question, withdrawal: withdrawalAt(1) })
    assert.equal(shown.withdrawal.approvals, 0)
    await submit()
    assert.deepEqual(
      sent.map(({ seen }) => seen),
      [0],
    )
  })

const newer = [
  ['approve', moneyDecisionTexts.approvalsChanged],
  ['reject', moneyDecisionTexts.approvedMeanwhile],
] as const
for (const [question, sentence] of newer)
  it(`after the refusal that tells of newer approvals the dialog shows and sends them: ${question}`, async () => {
    refusal = sentence
    show({ question, withdrawal: withdrawalAt(0) })
    flushSync(() => shown.form.change({ reason: 'withdrawal_other', note: 'As agreed.' }))
    show({ question, withdrawal: withdrawalAt(1) })
    await submit()
    await until(() => shown.withdrawal.approvals === 1)
    assert.deepEqual([shown.form.refusal, shown.form.values.note], [[sentence], 'As agreed.'])
    await submit()
    assert.deepEqual(
      sent.map(({ seen }) => seen),
      [0, 1],
    )
  })

it('another refusal does not make the first of two approvals the last one', async () => {
  refusal = withdrawalDeskTexts.notCovered
  show({ question: 'approve', withdrawal: withdrawalAt(0) })
  show({ question: 'approve', withdrawal: withdrawalAt(1) })
  await submit()
  assert.equal(shown.withdrawal.approvals, 0)
})
