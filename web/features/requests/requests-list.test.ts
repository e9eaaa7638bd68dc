// spec: AO 2.10, AO 7
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setReader } from '../../ui/text/format.ts'
import { historyOf, toAsked } from './requests-list.ts'

describe('the query string of requests', () => {
  it('keeps valid values', () => {
    const search = { tab: 'history', q: 'address', status: 'open', day: '2026-11-22', page: 3 }
    assert.deepEqual(historyOf(search), search)
  })

  it('omits invalid values', () => {
    const odd = { tab: 'all', id: '1', status: 'lost', day: 'today', page: '-1', q: 'a'.repeat(500) }
    assert.deepEqual(historyOf(odd), { tab: 'history' })
  })
})

describe('the variables of a list of requests', () => {
  afterEach(() => setReader({ language: null, timeZone: null }))

  it('contain only what was chosen', () => {
    assert.deepEqual(toAsked({ q: ' address ', status: 'open' }), { q: 'address', status: 'open' })
    assert.deepEqual(toAsked({ q: ' ' }), {})
  })

  for (const [day, hours] of [
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-11-22', 24],
  ] as const)
    it(`cover all of ${day} in the reader's time zone: ${hours} hours`, () => {
      setReader({ language: null, timeZone: 'Europe/Malta' })
      const { created_at: first, created_at_to: last } = toAsked({ day })
      assert.equal(Number(last) + 1 - Number(first), hours * 3_600_000)
    })
})
