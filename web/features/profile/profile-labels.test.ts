// spec: MP 4
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressLines, labelsOfDocuments, labelsOfRequest } from './profile-labels.ts'

describe('the labels of a profile', () => {
  it('show the underscores of a documents status as spaces', () => {
    assert.deepEqual(labelsOfDocuments('in_verification'), { meaning: 'blue', label: 'In verification' })
    assert.deepEqual(labelsOfDocuments('approved'), { meaning: 'green', label: 'Approved' })
    assert.deepEqual(labelsOfDocuments('on_its_way'), { meaning: 'grey', label: 'On its way' })
  })

  it('give each status of a request its label and colour', () => {
    assert.deepEqual(
      ['not-assigned', 'open', 'in-progress', 'done', 'rejected', 'canceled', 'odd'].map((status) => {
        const { label, meaning } = labelsOfRequest(status)
        return `${label} ${meaning}`
      }),
      [
        'Not assigned amber',
        'Open amber',
        'In progress blue',
        'Done green',
        'Rejected red',
        'Canceled grey',
        'Odd grey',
      ],
    )
  })

  it('omit unknown parts of an address', () => {
    const country = { _id: 'mt', name: 'Malta', alpha_2: 'MT' }
    const address = {
      _id: 'a',
      address_line_1: '12 Old Bakery Street',
      address_line_2: null,
      city: 'Valletta',
      postcode: null,
    }
    assert.deepEqual(addressLines({ ...address, state: '', primary: true, country }), [
      '12 Old Bakery Street',
      'Valletta',
      'Malta',
    ])
  })
})
