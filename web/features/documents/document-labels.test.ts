// spec: MP 4
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expiryOf, labelsOfStatus, noteOf } from './document-labels.ts'

const explained = { description: null, unverify_reason: 'A newer copy.', reject_reason: 'Too dark.' }

describe('the note under a document', () => {
  const cases: [string, Parameters<typeof noteOf>[0], string | null][] = [
    ['why it is pending', { ...explained, status: 'pending' }, 'A newer copy.'],
    ['why it was rejected', { ...explained, status: 'rejected' }, 'Too dark.'],
    ['no reason that belongs to another state', { ...explained, status: 'approved' }, null],
    ['nothing while it is in review', { ...explained, status: 'in_verification' }, null],
    [
      'its description instead of a reason',
      { ...explained, status: 'rejected', description: 'Front side' },
      'Front side',
    ],
    ['nothing if there is none', { ...explained, status: 'pending', unverify_reason: null }, null],
  ]
  for (const [name, document, note] of cases) it(`shows ${name}`, () => assert.equal(noteOf(document), note))
})

it('replaces underscores with spaces and shows an unknown status in grey', () => {
  assert.deepEqual(labelsOfStatus('in_verification'), { meaning: 'blue', label: 'In verification' })
  assert.deepEqual(labelsOfStatus('held_back'), { meaning: 'grey', label: 'Held back' })
})

it('asks to renew a document in its last thirty days, including the expiry date', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const of = (expires_on: string | null, status = 'approved') => expiryOf({ expires_on, status }, now, 'UTC')
  assert.deepEqual(
    [of('2026-11-20'), of('2026-11-21'), of('2026-12-20'), of('2027-01-30'), of(null), of('2026-11-20', 'pending')],
    ['over', 'soon', 'soon', 'later', null, null],
  )
})

it('counts days where the brokerage is, as the server does', () => {
  // Already the 22nd in Auckland, still the 21st in Honolulu.
  const now = Date.parse('2026-11-21T12:00:00Z')
  const of = (expires_on: string, zone: string) => expiryOf({ expires_on, status: 'approved' }, now, zone)
  assert.deepEqual(
    ['Pacific/Auckland', 'Pacific/Honolulu'].map((zone) => [of('2026-11-21', zone), of('2026-12-22', zone)]),
    [
      ['over', 'soon'],
      ['soon', 'later'],
    ],
  )
})
