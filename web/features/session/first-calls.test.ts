import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readSettings } from '@atrium/contract/workspace.ts'
import { settingsCall } from './first-calls.ts'

it('asks for the settings where the contract has them', () => {
  assert.equal(settingsCall.method, readSettings.method)
  assert.equal(settingsCall.path, readSettings.path)
})
