// spec: AO 2.10, AO 7
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setReader } from '../../ui/text/format.ts'
import { countFilters, readRequestsSearch, toAsked, writeRequestsSearch } from './requests-search.ts'

const start = { tab: 'requests', id: undefined, q: '', status: '', day: '', page: 1 }

describe('the query string of requests', () => {
  it('survives a round trip', () => {
    const search = { tab: 'history', id: undefined, q: 'address', status: 'open', day: '2026-11-22', page: 3 } as const
    const written = writeRequestsSearch(search)
    assert.deepEqual(readRequestsSearch(written), search)
    assert.equal(countFilters(search), 3)
  })

  it('omits default values', () => {
    assert.deepEqual(writeRequestsSearch(readRequestsSearch({})), {})
  })

  it('omits invalid values', () => {
    const odd = { tab: 'all', id: '1', status: 'lost', day: 'today', page: '-1', q: 'a'.repeat(500) }
    assert.deepEqual(readRequestsSearch(odd), start)
  })
})

describe('the variables of a list of requests', () => {
  afterEach(() => setReader({ language: null, timeZone: null }))

  it('contain only what was chosen', () => {
    assert.deepEqual(toAsked(readRequestsSearch({ q: ' address ', status: 'open' })), { q: 'address', status: 'open' })
    assert.deepEqual(toAsked(readRequestsSearch({ q: ' ' })), {})
  })

  for (const [day, hours] of [
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-11-22', 24],
  ] as const)
    it(`cover all of ${day} in the reader's time zone: ${hours} hours`, () => {
      setReader({ language: null, timeZone: 'Europe/Malta' })
      const { created_at: first, created_at_to: last } = toAsked(readRequestsSearch({ day }))
      assert.equal(Number(last) + 1 - Number(first), hours * 3_600_000)
    })
})
