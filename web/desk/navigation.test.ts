// spec: DK frame
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staffRoles } from '@atrium/contract/staff/rights.ts'
import { placesOf } from './navigation.ts'

const all = placesOf('administrator').flatMap(({ places }) => places)

describe('the places of the desk', () => {
  it('have a unique path and a unique shortcut letter', () => {
    for (const name of ['to', 'key', 'label'] as const)
      assert.equal(new Set(all.map((place) => place[name])).size, all.length, name)
    for (const { key } of all) assert.match(key, /^[a-z]$/)
  })

  it('show every role at least one entry, and none without a role', () => {
    for (const role of staffRoles) assert.ok(placesOf(role).length > 0, role)
    for (const role of ['', 'constructor', 'Administrator']) assert.deepEqual(placesOf(role), [])
  })
})
