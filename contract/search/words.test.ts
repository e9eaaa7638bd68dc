import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchedPieces, matches } from './words.ts'

describe('searching by words', () => {
  for (const [query, text] of [
    ['700', '700123'],
    ['#700123', 'Account #700123'],
    ['usd 700', '700123 USD Live'],
    ['LIVE', 'live'],
    ['zurich', 'Zürich'],
    ['Zürich', 'zurich'],
    ['ПРИ', 'привет'],
  ] as const)
    it(`${query} finds ${text}`, () => assert.equal(matches(query, [text]), true))
  for (const [query, text] of [
    ['', 'anything'],
    ['--', 'anything'],
    ['123', '700123'],
    ['usd eur', '700123 USD'],
    ['.*', 'anything'],
    ['%', '100%'],
  ] as const)
    it(`${JSON.stringify(query)} does not find ${text}`, () => assert.equal(matches(query, [text]), false))

  it('marks the matches, and preserves the text', () => {
    const marked = (query: string, text: string) =>
      matchedPieces(query, text)
        .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
        .join('')
    assert.equal(marked('700 u', 'Account #700123, USD'), 'Account #[700]123, [U]SD')
    assert.equal(marked('dep deposit', 'Deposits'), '[Deposit]s')
    assert.equal(marked('ﬁ', 'ﬁve'), '[ﬁve]')
    assert.equal(marked('', 'as it is'), 'as it is')
  })

  it('evaluates only the first words of a long query', () => {
    assert.equal(matches('a '.repeat(200_000), ['a']), true)
    assert.equal(matches(`${'a '.repeat(8)}b`, ['a']), true)
  })
})
