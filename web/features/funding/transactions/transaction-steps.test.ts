import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { labelsOfTransaction } from '../../../ui/money/own-payments.ts'
import type { TFunction } from '../../../ui/text/i18n.ts'
import { eventLabels } from './timeline-labels.ts'
import { stepsOf } from './transaction-steps.ts'

const t = ((text: string, values: Record<string, string> = {}) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')) as unknown as TFunction
const made = Date.UTC(2026, 10, 20, 9)
const hour = 3_600_000
const moments = { at: (at: number) => new Date(at).toISOString().slice(0, 16), now: made + hour }
const requested = { at: made, event: 'deposit.requested', by: 'member', note: null as string | null }

const labelsOf = (state: string, timeline = [requested], type = 'deposit', now = moments.now) =>
  stepsOf({ type, state, created_at: made, timeline }, t, { ...moments, now }).map(({ title, by, stage }) => [
    title,
    by,
    stage,
  ])

describe('the timeline of a transaction', () => {
  test('a pending deposit shows who reviews it and by when', () => {
    assert.deepEqual(labelsOf('pending'), [
      ['You created the deposit', '2026-11-20T09:00 \u00b7 You', 'done'],
      ['Our team reviews your receipt', 'Our team \u00b7 by 2026-11-21T09:00', 'current'],
      ['The amount is credited to your trading account', 'The trading platform', 'next'],
    ])
  })

  test('a due time that has passed is not shown', () => {
    assert.match(String(labelsOf('pending', undefined, 'deposit', made + 25 * hour)[1]?.[1]), /longer than usual/)
  })

  test('verifying is a state of its own and not a failure', () => {
    const steps = labelsOf('checking', [
      requested,
      { at: made, event: 'deposit.being-checked', by: 'system', note: 'x' },
    ])
    assert.equal(steps[1]?.[0], 'Verifying with the trading platform')
    assert.equal(steps[2]?.[2], 'current')
    assert.doesNotMatch(JSON.stringify(steps), /fail|again/i)
  })

  test('a payment pending at its provider has no due time and warns against paying again', () => {
    const pending = { at: made, event: 'deposit.pending-at-provider', by: 'system', note: null }
    const payment = { type: 'deposit', state: 'pending', created_at: made, payment_method: 'psp:skrill' }
    const titles = (timeline: (typeof requested)[]) =>
      stepsOf({ ...payment, timeline }, t, { ...moments, now: made + 26 * hour }).map(({ title, by }) => [title, by])
    assert.deepEqual(titles([requested, pending]).slice(1, 3), [
      ['Your payment is on its way', '2026-11-20T09:00 \u00b7 Automatic'],
      ['The payment arrives', 'The payment provider \u00b7 with some banks this takes several days'],
    ])
    const declined = { at: made, event: 'deposit.payment-try-declined', by: 'system', note: null }
    assert.equal(titles([requested, pending, declined])[3]?.[0], 'You try again, or pay in another way')
    const differs = { at: made, event: 'deposit.payment-differs', by: 'system', note: null }
    assert.deepEqual(titles([requested, differs])[2], [
      'Our team looks into your payment; do not pay again',
      'Our team',
    ])
  })

  test('an unpaid deposit is not shown as waiting for our team', () => {
    const of = (events: string[], over: object = {}) =>
      labelsOfTransaction({
        ...{ type: 'deposit', state: 'pending', payment_method: 'psp:safecharge' },
        timeline: events.map((event) => ({ ...requested, event })),
        ...over,
      }).label
    const begun = ['deposit.requested', 'deposit.handed-over']
    assert.equal(of(begun), 'Awaiting payment')
    assert.equal(of([...begun, 'deposit.payment-try-declined']), 'Payment declined')
    assert.equal(of([...begun, 'deposit.payment-try-declined', 'deposit.pending-at-provider']), 'Payment on its way')
    assert.equal(of([...begun, 'deposit.payment-differs']), 'Payment in review')
    const refused = [...begun, 'deposit.paid-at-provider', 'deposit.being-checked', 'deposit.refused-by-platform']
    assert.equal(of(refused), 'Payment in review')
    assert.equal(of([...begun, 'deposit.approved-by-desk', 'deposit.refused-by-platform']), 'Payment in review')
    assert.equal(of(begun, { state: 'rejected' }), 'Rejected')
    assert.equal(of(['deposit.requested'], { payment_method: 'manual' }), 'Pending')
    assert.equal(of(['withdrawal.requested'], { type: 'withdrawal' }), 'Pending')
  })

  test('a final transaction has no next step', () => {
    for (const state of ['approved', 'rejected', 'cancelled']) assert.equal(labelsOf(state).length, 1, state)
  })

  test('an event unknown to this build is shown as a change, with its note', () => {
    const [step] = stepsOf(
      {
        type: 'deposit',
        state: 'approved',
        created_at: made,
        timeline: [{ at: made, event: 'deposit.new', by: 'robot', note: 'n' }],
      },
      t,
      moments,
    )
    assert.deepEqual([step?.title, step?.note, step?.meaning], ['Updated', 'n', 'grey'])
  })

  test('names every event that the server tells a member', () => {
    const server = readFileSync(new URL('../../../../server/funding/transaction.ts', import.meta.url), 'utf8')
    const [, union = ''] = /export type TransactionEvent =([\s\S]*?)\n\n/.exec(server) ?? []
    const events = [...union.matchAll(/'([^']+)'/g)].map(([, event = '']) => event)
    assert.ok(events.length > 30)
    // A decision of the desk about an unknown outcome is not in the member's timeline.
    const own = events.filter((event) => !event.endsWith('.outcome-decided'))
    assert.deepEqual(
      own.filter((event) => !(event in eventLabels)),
      [],
    )
  })

  test('hides the platform\u2019s own messages', () => {
    const [step] = stepsOf(
      {
        type: 'deposit',
        state: 'approved',
        created_at: made,
        timeline: [{ at: made, event: 'deposit.credited', by: 'system', note: 'deal 1' }],
      },
      t,
      moments,
    )
    assert.equal(step?.note, null)
  })
})
