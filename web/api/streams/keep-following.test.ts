import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ApiError } from '../api-error.ts'
import { pauseAfter } from './keep-following.ts'

it('backs off exponentially, honours retry-after, and reconnects immediately when the session may be over', () => {
  const broken = { error: null, ended: null }
  const pauses = [0, 1, 2, 3, 10].map((failures) => pauseAfter(failures, broken, 1))
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 30_000])
  assert.equal(pauseAfter(0, broken, 0), 500)
  const busy = new ApiError({ code: 'too_many_requests', message: '', retryAfterSeconds: 30 })
  assert.equal(pauseAfter(0, { error: busy, ended: null }, 0), 30_000)
  const closed = new ApiError({ code: 'feature_off', message: '' })
  assert.equal(pauseAfter(0, { error: closed, ended: null }, 1), 60_000)
  assert.equal(pauseAfter(0, { error: null, ended: 'not_permitted' }, 1), 60_000)
  // The stream went to another brokerage.
  assert.equal(pauseAfter(0, { error: null, ended: 'too_many_requests' }, 1), 60_000)
  assert.equal(pauseAfter(0, { error: null, ended: 'unavailable' }, 1), 1_000)
  assert.equal(pauseAfter(5, { error: null, ended: 'unauthenticated' }), 0)
})
