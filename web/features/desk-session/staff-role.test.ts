import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mayDecideMoney, roleName } from './staff-role.ts'

describe('what a role may do', () => {
  for (const role of ['finance', 'administrator'])
    it(`lets ${role} decide about money`, () => assert.ok(mayDecideMoney(role)))
  for (const role of ['support', 'compliance', '', 'Finance', 'constructor'])
    it(`does not let ${role || 'nobody'} decide`, () => assert.ok(!mayDecideMoney(role)))

  it('shows a role that it does not know as it is', () => {
    assert.equal(roleName('finance'), 'Finance')
    for (const role of ['auditor', 'constructor']) assert.equal(roleName(role), role)
  })
})
