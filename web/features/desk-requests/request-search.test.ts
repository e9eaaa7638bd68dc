// spec: DK requests
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRequestSearch } from './request-search.ts'

it('an address of the board says what is looked at, and nothing that makes no sense', () => {
  for (const nonsense of [
    {},
    { status: 'not-assigned' },
    { status: 'lost' },
    { q: {} },
    { mine: 'no' },
    { type: 'address' },
    { after: 'x'.repeat(600) },
  ])
    assert.deepEqual(readRequestSearch(nonsense), {})
  const type = '6f1b2f1e-8c9d-4a53-9d56-0a1b2c3d4e5f'
  const asked = { status: 'in-progress', q: '1001', mine: 'yes', type, after: 'abc' } as const
  assert.deepEqual(readRequestSearch(asked), asked)
  assert.deepEqual(readRequestSearch({ q: 1001 }), { q: '1001' })
  assert.equal(readRequestSearch({ q: 'x'.repeat(500) }).q?.length, 100)
})
