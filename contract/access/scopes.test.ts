// spec: MP 2.2, MP 6, AO 2.1, AO 4
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdsAny, holdsPermission, memberPermissions, scopeOfScreen, scopes } from './scopes.ts'

it('grants a listed permission unless an entry with a trailing minus denies it, in any order', () => {
  assert.equal(holdsPermission(['deposit'], 'deposit'), true)
  assert.equal(holdsPermission(['deposit', 'deposit-'], 'deposit'), false)
  assert.equal(holdsPermission(['deposit-', 'deposit'], 'deposit'), false)
  assert.equal(holdsPermission(['deposits'], 'deposit'), false)
  assert.equal(holdsPermission(['bank-accounts'], 'bank'), false)
  assert.equal(holdsPermission([], 'deposit'), false)
})

it('accepts any one permission of a list, and an empty list', () => {
  assert.equal(holdsAny(['withdraw'], ['deposit', 'withdraw']), true)
  assert.equal(holdsAny(['withdraw', 'withdraw-', 'deposit'], ['deposit', 'withdraw']), true)
  assert.equal(holdsAny(['withdraw', 'withdraw-'], ['deposit', 'withdraw']), false)
  assert.equal(holdsAny([], []), true)
})

it('has no permission whose name could be read as the denial of another', () => {
  assert.deepEqual(
    memberPermissions.filter((key) => key.endsWith('-')),
    [],
  )
})

it('finds the scope of a screen with and without a trailing slash', () => {
  assert.equal(scopeOfScreen('/home'), 'all')
  assert.equal(scopeOfScreen('/home/'), 'all')
  assert.equal(scopeOfScreen('/funds/deposit/:accountId?'), 'deposit')
  assert.equal(scopeOfScreen('/nowhere'), null)
  for (const [scope, { routes }] of Object.entries(scopes))
    for (const route of routes) assert.equal(scopeOfScreen(route), scope, route)
})
