import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decisionKeys, isOffered } from './offered-moves.ts'

const document = (status: 'pending' | 'in_verification' | 'approved' | 'rejected', is_unscannable = false) => ({
  status,
  file: { is_unscannable },
})

/** What the keys a and r open. */
function opened(status: Parameters<typeof document>[0] | null): string[] {
  const found: string[] = []
  const keys = decisionKeys(status === null ? undefined : document(status), (what) => found.push(what))
  for (const { act } of keys) act()
  return found
}

it('opens only decisions that exist in the state of the document', () => {
  assert.deepEqual(opened('in_verification'), ['verify', 'reject'])
  assert.deepEqual(opened('pending'), ['verify', 'reject'])
  assert.deepEqual(opened('rejected'), ['verify'])
  assert.deepEqual(opened('approved'), [])
  assert.deepEqual(opened(null), [])
})

it('lists the keys also before the document is loaded, and for staff who may not decide', () => {
  assert.deepEqual(
    decisionKeys(undefined, null).map(({ keys }) => keys),
    ['a', 'r'],
  )
  for (const { act } of decisionKeys(document('pending'), null)) act()
})

it('offers a release only of a file that could not be scanned', () => {
  assert.equal(isOffered('release', document('pending')), false)
  assert.equal(isOffered('release', document('pending', true)), true)
})
