import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { knownOr, parseWithUnknown } from './unknown-values.ts'

const state = z.enum(['open', 'closed'])
const answer = z.object({
  status: z.literal('ok'),
  rows: z.array(z.object({ state, why: state.nullable(), note: z.string().default('') })),
  counts: z.record(state, z.int()),
})
const counts = { open: 1, closed: 2 }

describe('an answer with a value of a later version', () => {
  it('is read with that value, and its other parts by the schema', () => {
    const said = {
      status: 'ok',
      rows: [
        { state: 'refused', why: null, more: 1 },
        { state: 'open', why: 'given_back' },
      ],
      counts: { ...counts, refused: 3 },
    }
    const kept = structuredClone(said)
    const parsed = parseWithUnknown(answer, said)
    assert.ok(parsed.success)
    assert.deepEqual(parsed.data, {
      status: 'ok',
      rows: [
        { state: 'refused', why: null, note: '' },
        { state: 'open', why: 'given_back', note: '' },
      ],
      counts,
    })
    assert.deepEqual(
      parsed.unknown.map((path) => path.join('.')),
      ['rows.0.state', 'rows.1.why'],
    )
    assert.deepEqual(said, kept)
  })

  it('is refused for any other difference', () => {
    const row = { state: 'open', why: null }
    for (const other of [
      { status: 'error', rows: [row], counts },
      { status: 'ok', rows: [{ state: 1, why: null }], counts },
      { status: 'ok', rows: [{ why: null, state: 'refused' }, {}], counts },
      { status: 'ok', rows: [row] },
    ])
      assert.equal(parseWithUnknown(answer, other).success, false, JSON.stringify(other))
  })
})

it('a record by such values has another one for those that it does not know', () => {
  const labels: Record<string, { label: string }> = knownOr({ label: 'Other' }, { open: { label: 'Open' } })
  for (const name of ['constructor', 'toString']) assert.deepEqual(labels[name], { label: 'Other' })
  assert.deepEqual([labels.open?.label, labels.refused?.label, Object.keys(labels)], ['Open', 'Other', ['open']])
})
