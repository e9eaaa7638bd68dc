import assert from 'node:assert/strict'
import { it } from 'node:test'
import { staffRoles } from '@atrium/contract/staff/rights.ts'
import { roleName } from './staff-role.ts'

it('labels every role and shows an unknown one unchanged', () => {
  for (const role of staffRoles) assert.notEqual(roleName(role), role)
  for (const role of ['auditor', 'constructor']) assert.equal(roleName(role), role)
})
