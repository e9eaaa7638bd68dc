import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readTicketSearch } from './ticket-search.ts'

it('an address of the board says what is looked at, and nothing that makes no sense', () => {
  for (const nonsense of [
    {},
    { state: 'open' },
    { state: 'lost' },
    { q: {} },
    { mine: 'no' },
    { after: 'x'.repeat(500) },
  ])
    assert.deepEqual(readTicketSearch(nonsense), {})
  const asked = { state: 'taken', q: '1001', mine: 'yes', after: 'abc' } as const
  assert.deepEqual(readTicketSearch(asked), asked)
  assert.deepEqual(readTicketSearch({ q: 1001 }), { q: '1001' })
  assert.equal(readTicketSearch({ q: 'x'.repeat(500) }).q?.length, 100)
})
