// spec: AO 2.3
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { actionsOf } from './account-actions.ts'

const account = {
  live_account: true,
  enable_read_only: false,
  enable_change_password: true,
  deleted: false,
  archived: false,
}
const open = { deposit: true, withdraw: true }
const all = { deposit: true, withdraw: true, password: true, complaint: true }
const none = { deposit: false, withdraw: false, password: false, complaint: false }

it('offers all actions on an unrestricted account', () => {
  assert.deepEqual(actionsOf(account, open), all)
  assert.deepEqual(actionsOf({ ...account, live_account: false }, open), all)
})

it('offers no action on a read-only account, even a closed one', () => {
  assert.deepEqual(actionsOf({ ...account, enable_read_only: true }, open), none)
  assert.deepEqual(actionsOf({ ...account, enable_read_only: true, deleted: true }, open), none)
})

it('offers only the complaint on a deleted account or one missing from its platform', () => {
  assert.deepEqual(actionsOf({ ...account, deleted: true }, open), { ...none, complaint: true })
  assert.deepEqual(actionsOf({ ...account, archived: true }, open), { ...none, complaint: true })
})

it('checks the flag of each action', () => {
  assert.deepEqual(actionsOf(account, { deposit: false, withdraw: true }), { ...all, deposit: false })
  assert.deepEqual(actionsOf(account, { deposit: true, withdraw: false }), { ...all, withdraw: false })
  assert.deepEqual(actionsOf({ ...account, enable_change_password: false }, open), { ...all, password: false })
})
