import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressesInput } from '@atrium/contract/members/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { checkAddress, draftOf, withAddress, withoutAddress } from './address-draft.ts'

const country = { _id: 'MT', name: 'Malta', alpha_2: 'MT' }
const address = (id: number, primary = false) => ({
  _id: `0190a0b0-0000-7000-8000-00000000000${id}`,
  address_line_1: `${id} Strait Street`,
  address_line_2: null,
  city: 'Valletta',
  postcode: null,
  state: null,
  primary,
  country,
})
const known = [address(1, true), address(2)]
const shortOf = (list: ReturnType<typeof withAddress>) =>
  list.map(({ address_line_1, primary, _id }) => [address_line_1, primary, _id !== undefined])

describe('the list of addresses to save', () => {
  it('always has exactly one primary address', () => {
    const made = { ...draftOf(null, false), address_line_1: 'New', city: 'Sliema', country: 'MT' }
    const lists = [
      withAddress(known, made),
      withAddress(known, { ...made, primary: true }),
      withAddress([], { ...made, primary: false }),
      withAddress(known, { ...draftOf(address(1, true), false), primary: false }),
      withoutAddress(known, address(1)._id),
      withoutAddress(known, address(2)._id),
      withoutAddress([address(1, true)], address(1)._id),
    ]
    assert.deepEqual(lists.map(shortOf), [
      [
        ['1 Strait Street', true, true],
        ['2 Strait Street', false, true],
        ['New', false, false],
      ],
      [
        ['New', true, false],
        ['1 Strait Street', false, true],
        ['2 Strait Street', false, true],
      ],
      [['New', true, false]],
      [
        ['2 Strait Street', true, true],
        ['1 Strait Street', false, true],
      ],
      [['2 Strait Street', true, true]],
      [['1 Strait Street', true, true]],
      [],
    ])
    for (const list of lists) assert.ok(addressesInput.safeParse(list).success)
  })

  it('contains an address that was deleted elsewhere, as a new one', () => {
    assert.deepEqual(shortOf(withAddress([address(1, true)], draftOf(address(2), false))), [
      ['1 Strait Street', true, true],
      ['2 Strait Street', false, false],
    ])
  })

  it('reports each missing field', () => {
    assert.deepEqual(checkAddress(draftOf(null, true)), {
      address_line_1: [texts.addressLineMissing],
      city: [texts.cityMissing],
      country: [texts.countryMissing],
    })
  })
})
