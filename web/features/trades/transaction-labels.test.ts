import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachedOf, beneficiaryOf } from './transaction-labels.ts'

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

test('names the beneficiary in plain words, in place of a code', () => {
  const named = (destination: string | null) => beneficiaryOf({ destination })
  assert.deepEqual(['psp:skrill', 'bank_account', 'crypto_transfer', 'other_transfer', null].map(named), [
    ...['Skrill', 'Bank account', 'Crypto wallet', 'Other account', null],
  ])
})
