// spec: DK documents
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KycDocument, memberStatusOf, requirementsOf, statusOf } from './status.ts'

const today = '2026-11-21'
const document = (status: string, over: Partial<KycDocument> = {}): KycDocument => ({
  file_category_id: 'identity',
  document_request_id: null,
  status,
  expires_on: null,
  ...over,
})

describe('the status of a requirement', () => {
  const cases: [string, KycDocument[], string][] = [
    ['is missing without a document', [], 'missing'],
    ['is in verification with one in review', [document('in_verification')], 'in_verification'],
    [
      'is approved if one is approved, although a newer one was rejected',
      [document('rejected'), document('approved')],
      'approved',
    ],
    [
      'is in verification with a new one after a rejected one',
      [document('in_verification'), document('rejected')],
      'in_verification',
    ],
    ['follows the newest if none counts', [document('rejected'), document('pending')], 'rejected'],
    ['is approved on the last day of an approved one', [document('approved', { expires_on: today })], 'approved'],
    [
      'is pending after the last day of an approved one',
      [document('approved', { expires_on: '2026-11-20' })],
      'pending',
    ],
  ]
  for (const [name, documents, status] of cases) {
    it(name, () => assert.equal(statusOf(documents, today), status))
  }
})

describe('a member', () => {
  const categories = [
    { file_category_id: 'identity', name: 'Proof of identity', required: true },
    { file_category_id: 'address', name: 'Proof of address', required: true },
    { file_category_id: 'other', name: 'Other', required: false },
  ]
  const request = {
    document_request_id: 'asked',
    file_category_id: 'other',
    valid_document_id: null,
    name: 'Other',
    note: 'Payslip',
    state: 'open',
  }
  const address = (status: string) => document(status, { file_category_id: 'address' })
  const asked = (status: string) => document(status, { file_category_id: 'other', document_request_id: 'asked' })
  const cases: [string, KycDocument[], boolean, string][] = [
    ['without documents is pending', [], false, 'pending'],
    ['with one of two is pending', [document('approved')], false, 'pending'],
    [
      'with both in review is in verification',
      [document('approved'), address('in_verification')],
      false,
      'in_verification',
    ],
    ['with one rejected is rejected', [document('rejected'), address('approved')], false, 'rejected'],
    ['with both approved is approved', [document('approved'), address('approved')], false, 'approved'],
    ['with a requested document missing is pending', [document('approved'), address('approved')], true, 'pending'],
    [
      'whose only document of that category does not answer the request is pending',
      [document('approved'), address('approved'), document('approved', { file_category_id: 'other' })],
      true,
      'pending',
    ],
    [
      'with the requested document in review is in verification',
      [document('approved'), address('approved'), asked('in_verification')],
      true,
      'in_verification',
    ],
  ]
  for (const [name, documents, isAsked, status] of cases) {
    it(name, () =>
      assert.equal(
        memberStatusOf(requirementsOf({ categories, requests: isAsked ? [request] : [] }, documents, today), false),
        status,
      ),
    )
  }

  it('is approved only by a confirmation of staff where no category is required', () => {
    const none = categories.map((category) => ({ ...category, required: false }))
    const statusWith = (requests: (typeof request)[], documents: KycDocument[], isVerifiedElsewhere: boolean) =>
      memberStatusOf(requirementsOf({ categories: none, requests }, documents, today), isVerifiedElsewhere)
    assert.equal(statusWith([], [document('approved')], false), 'pending')
    assert.equal(statusWith([], [], true), 'approved')
    assert.equal(statusWith([request], [asked('approved')], false), 'pending')
    assert.equal(statusWith([request], [asked('approved')], true), 'approved')
    assert.equal(statusWith([request], [asked('in_verification')], true), 'in_verification')
    assert.equal(statusWith([request], [asked('rejected')], true), 'rejected')
    assert.equal(statusWith([request], [], true), 'pending')
  })
})
