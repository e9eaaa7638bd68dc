import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Scope } from '@atrium/contract/access/scopes.ts'
import { notificationTargetKinds, pathOfTarget } from '@atrium/contract/notifications/calls.ts'
import { isReachable } from './is-reachable.ts'

const id = '0190a0b0-0000-7000-8000-000000000001'

it('the target of every notification is a page of the portal', () => {
  for (const kind of notificationTargetKinds)
    for (const path of [pathOfTarget({ kind, id }), pathOfTarget({ kind })])
      assert.equal(
        isReachable(path, () => true),
        true,
        path,
      )
})

it('a notification leads to no page that is closed to the member', () => {
  const closed = (scope: Scope) => (each: Scope) => each !== scope
  const target = { kind: 'transaction', id } as const
  assert.equal(isReachable(pathOfTarget(target), closed('transactions')), false)
  assert.equal(isReachable(pathOfTarget(target), closed('support')), true)
  assert.equal(isReachable(pathOfTarget({ kind: 'account', id }), closed('my_accounts')), false)
})
