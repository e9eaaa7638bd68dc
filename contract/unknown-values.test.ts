import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { deskTicket } from './tickets/desk-calls.ts'
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
    const copy = structuredClone(said)
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
    assert.deepEqual(said, copy)
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

describe('an answer with an object of a kind of a later version', () => {
  const kind = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('account'), login: z.string() }),
    z.object({ kind: z.literal('download'), name: z.string() }),
  ])
  const listed = z.object({
    status: z.literal('ok'),
    rows: z.array(z.object({ about: kind.nullable(), state })),
    all: z.array(kind),
  })
  const account = { kind: 'account', login: '4100' }
  const later = { kind: 'position', symbol: 'EURUSD' }

  it('keeps its kind and the rest of the list', () => {
    const said = {
      status: 'ok',
      rows: [
        { about: account, state: 'open' },
        { about: later, state: 'refused' },
        { about: null, state: 'closed' },
      ],
      all: [later, account, later, { kind: 'order' }, { ...account, more: 1 }],
    }
    const copy = structuredClone(said)
    const parsed = parseWithUnknown(listed, said)
    assert.ok(parsed.success)
    assert.deepEqual(parsed.data, {
      status: 'ok',
      rows: [
        { about: account, state: 'open' },
        { about: { kind: 'position' }, state: 'refused' },
        { about: null, state: 'closed' },
      ],
      all: [{ kind: 'position' }, account, { kind: 'position' }, { kind: 'order' }, account],
    })
    assert.deepEqual(
      parsed.unknown.map((path) => path.join('.')),
      ['rows.1.state', 'rows.1.about.kind', 'all.0.kind', 'all.2.kind', 'all.3.kind'],
    )
    assert.deepEqual(said, copy)
  })

  it('is refused where nothing may stand in its place', () => {
    const required = z.object({ about: kind })
    for (const [schema, given] of [
      [required, { about: later }],
      [kind, later],
      [listed, { status: 'ok', rows: [{ about: { login: '4100' }, state: 'open' }], all: [] }],
      [listed, { status: 'ok', rows: [{ about: { kind: 7 }, state: 'open' }], all: [] }],
      [listed, { status: 'ok', rows: [{ about: { kind: 'account' }, state: 'open' }], all: [later] }],
    ] as const)
      assert.equal(parseWithUnknown(schema, given).success, false, JSON.stringify(given))
  })

  it('leaves the answer of a ticket readable', () => {
    const { about } = deskTicket.shape
    const parsed = parseWithUnknown(z.object({ about }), { about: later })
    assert.deepEqual(parsed.success && parsed.data, { about: { kind: 'position' } })
  })
})

it('a record by such values has another one for those that it does not know', () => {
  const labels: Record<string, { label: string }> = knownOr({ label: 'Other' }, { open: { label: 'Open' } })
  for (const name of ['constructor', 'toString']) assert.deepEqual(labels[name], { label: 'Other' })
  assert.deepEqual([labels.open?.label, labels.refused?.label, Object.keys(labels)], ['Open', 'Other', ['open']])
})
