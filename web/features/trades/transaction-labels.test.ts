import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachedOf, beneficiaryOf, transactionAmount, transactionStatus } from './transaction-labels.ts'

test('colours statuses green or red, and any other amber', () => {
  assert.deepEqual(
    ['approved', 'rejected', 'pending', 'of tomorrow'].map((state) => transactionStatus(state).meaning),
    ['green', 'red', 'amber', 'amber'],
  )
})

test('shows outgoing amounts with a minus', () => {
  assert.equal(transactionAmount({ type: 'withdrawal', amount: '10.00' }), '-10.00')
  assert.equal(transactionAmount({ type: 'deposit', amount: '10.00' }), '10.00')
})

test('resolves each attachment to its file', () => {
  const file = { _id: '1', title: null, url: '/private/1' }
  const none = { image: null, document: null, file: null, scan: 'clean', created_at: 5 }
  const attachments = [
    { ...none, media_type: 'image', image: file },
    { ...none, media_type: 'document', document: { ...file, title: 'document.pdf' } },
    { ...none, media_type: 'image', image: file, scan: 'waiting' },
    { ...none, media_type: 'file' },
  ]
  assert.deepEqual(attachedOf({ attachments }), [
    { _id: '1', url: '/private/1', title: null, kind: 'image', isPicture: true, scan: 'clean', at: 5 },
    { _id: '1', url: '/private/1', title: 'document.pdf', kind: 'document', isPicture: false, scan: 'clean', at: 5 },
    { _id: '1', url: '/private/1', title: null, kind: 'image', isPicture: false, scan: 'waiting', at: 5 },
  ])
})

test('strips a provider’s prefix', () => {
  assert.equal(beneficiaryOf({ destination: 'psp:skrill' }), 'skrill')
  assert.equal(beneficiaryOf({ destination: null }), null)
})
