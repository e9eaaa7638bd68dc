import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { creditingLabels } from './crediting-labels.ts'
import { approvingLabels } from './order-labels.ts'

const labels = (state: string, attempt = 0) => creditingLabels({ state, attempt, last_problem: null })

describe('the labels of a crediting', () => {
  it('cover every unfinished state', () => {
    for (const state of ['ready', 'sending', 'unknown', 'stuck', 'rejected']) assert.ok(labels(state), state)
    assert.equal(labels('done'), null)
  })

  it('distinguish the first attempt from a retry after a proven failure', () => {
    assert.notEqual(labels('ready', 0)?.title, labels('ready', 1)?.title)
  })

  it('ask staff to act only when it is stuck', () => {
    assert.equal(labels('stuck')?.needsPerson, true)
    for (const state of ['ready', 'sending', 'unknown', 'rejected']) assert.ok(!labels(state)?.needsPerson, state)
  })

  it('say that two people record the outcome when the account was deleted', () => {
    const gone = creditingLabels({ state: 'stuck', attempt: 1, last_problem: null, account_gone: true })
    assert.notEqual(gone?.title, labels('stuck')?.title)
    assert.match(gone?.text ?? '', /Two people/)
  })

  it('do not claim a failure for an unknown outcome', () => {
    assert.doesNotMatch(`${labels('unknown')?.title} ${labels('unknown')?.text}`, /fail|refus|reject/i)
  })
})

test('the amount that approval credits is shown only before the decision', () => {
  const credited = { _id: 'x', ticket: '1', amount: '180.00', currency: 'USD', state: 'crediting' } as const
  assert.ok(approvingLabels('pending', { why: 'amount_differs', credited: [] }))
  assert.equal(approvingLabels('approved', { why: 'amount_differs', credited: [credited] }), null)
  assert.equal(approvingLabels('pending', { why: 'amount_differs', credited: [credited] }), null)
  assert.equal(approvingLabels('pending', { why: 'returned', credited: [] }), null)
})
