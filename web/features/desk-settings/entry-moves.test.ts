// spec: DK workspace
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { archiveAt, entriesOfNames, moveBy, namesOf, restored } from './entry-moves.ts'

const of = (text: string) =>
  [...text].map((letter) => ({ key: letter.toLowerCase(), name: letter.toLowerCase(), archived: letter < 'a' }))
const text = (entries: ReturnType<typeof of>) =>
  entries.map(({ name, archived }) => (archived ? name.toUpperCase() : name)).join('')

describe('the entries of a list', () => {
  for (const [from, index, step, to] of [
    ['abc', 1, -1, 'bac'],
    ['abc', 1, 1, 'acb'],
    ['abc', 0, -1, 'abc'],
    ['abc', 2, 1, 'abc'],
    ['aBc', 2, -1, 'cBa'],
    ['aBc', 0, 1, 'cBa'],
    ['aB', 0, 1, 'aB'],
  ] as const)
    it(`moves entry ${index} of ${from} ${step === 1 ? 'down' : 'up'}, which gives ${to}`, () =>
      assert.equal(text(moveBy(of(from), index, step) as ReturnType<typeof of>), to))

  it('archives and restores saved entries and removes new ones', () => {
    const entries = of('ab')
    const archived = archiveAt(entries, 0)
    assert.equal(text(archived as typeof entries), 'Ab')
    const [first] = archived
    assert.ok(first)
    assert.deepEqual(restored(archived, first), entries)
    const added = [...entries, { key: null, name: 'c', archived: false }]
    assert.deepEqual(archiveAt(added, 2), entries)
  })

  it('splits names into active and archived ones', () => {
    const entries = entriesOfNames(['A', 'New'], ['B'], ['A', 'B'])
    assert.deepEqual(
      entries.map(({ key }) => key),
      ['A', null, 'B'],
    )
    assert.deepEqual(namesOf(entries), { names: ['A', 'New'], archived: ['B'] })
    assert.deepEqual(namesOf(archiveAt(entries, 0)), { names: ['New'], archived: ['A', 'B'] })
  })
})
