import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySource } from './session-groups.ts'

const session = (_id: string, device: string, address: string | null, current = false) => ({
  _id,
  device,
  address,
  current,
})

test('groups forty sign-ins of one device at one address into one row, with the current session first', () => {
  const many = Array.from({ length: 40 }, (_, index) => session(`${index}`, 'Firefox on Linux', '192.0.2.1'))
  const groups = bySource([
    ...many,
    session('phone', 'Safari on iPhone', null),
    session('elsewhere', 'Firefox on Linux', '192.0.2.2'),
    session('here', 'Firefox on Linux', '192.0.2.1', true),
  ])
  assert.deepEqual(
    groups.map((group) => [group[0]?._id, group.length]),
    [
      ['here', 1],
      ['0', 40],
      ['phone', 1],
      ['elsewhere', 1],
    ],
  )
})
