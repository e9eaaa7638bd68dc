import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compare, compareLines, foldSame } from './difference.ts'

const short = (lines: ReturnType<typeof compareLines>) =>
  lines.map(({ kind, pieces }) => `${kind}: ${pieces.map((piece) => `${mark[piece.kind]}${piece.text}`).join('')}`)
const mark = { same: '', gone: '-', new: '+' }

describe('the difference between two texts', () => {
  it('marks removed and added lines, and the changed words within a line', () => {
    const before = ['One', 'We pay out what is left.', 'Three', 'Four']
    const after = ['One', 'We pay out what is left within ten days.', 'Four', 'Five']
    assert.deepEqual(short(compareLines(before, after)), [
      'same: One',
      'changed: We pay out what is -left.+left within ten days.',
      'gone: -Three',
      'same: Four',
      'new: +Five',
    ])
  })

  it('does not merge lines that have almost no words in common', () => {
    assert.deepEqual(short(compareLines(['Our fees'], ['Your rights as a client'])), [
      'gone: -Our fees',
      'new: +Your rights as a client',
    ])
  })

  it('reproduces both texts', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const pieces = compare(before, after)
        const without = (kind: string) => pieces.filter((piece) => piece.kind !== kind).map(({ text }) => text)
        assert.deepEqual(without('new'), before)
        assert.deepEqual(without('gone'), after)
      }),
    )
  })

  it('keeps context lines around a change and folds the rest', () => {
    const before = Array.from({ length: 12 }, (_, index) => `Line ${index}`)
    const lines = foldSame(compareLines(before, [...before.slice(0, 6), 'Line six', ...before.slice(7)]))
    const kinds = lines.map((line) => (line.kind === 'folded' ? line.count : line.kind))
    assert.deepEqual(kinds, [4, 'same', 'same', 'changed', 'same', 'same', 3])
    assert.deepEqual(foldSame(compareLines(['a', 'b'], ['a', 'b'])).length, 2)
  })

  it('replaces the whole text when both are long and different', () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`)
    const pieces = compare(lines('one'), lines('other'))
    assert.equal(pieces.length, 6_000)
  })
})
