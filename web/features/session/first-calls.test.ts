import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readPermissions } from '@atrium/contract/sessions/calls.ts'
import { readDeskUser } from '@atrium/contract/staff/calls.ts'
import { readSettings } from '@atrium/contract/workspaces/calls.ts'
import { deskUserPath, permissionsPath, settingsCall } from './first-calls.ts'

it('asks for the settings where the contract has them', () => {
  assert.equal(settingsCall.method, readSettings.method)
  assert.equal(settingsCall.path, readSettings.path)
})

it('asks early for what is asked for after', () => {
  assert.deepEqual([permissionsPath, deskUserPath], [readPermissions.path, readDeskUser.path])
})
