import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { normalizeIds } from './normalize-ids.ts'

const plain = '0190a0b0-0000-7000-8000-00000000abcd'
const id = plain.toUpperCase()

describe('ids of an input', () => {
  for (const [place, schema, value, expected] of [
    ['a field', z.object({ id: z.uuid() }), { id }, { id: plain }],
    ['an optional field', z.object({ id: z.uuid().nullable().optional() }), { id }, { id: plain }],
    ['a field with a default', z.object({ id: z.uuid().default(plain) }), { id }, { id: plain }],
    ['a list', z.object({ ids: z.array(z.uuid()) }), { ids: [id, plain] }, { ids: [plain, plain] }],
    ['an entry of a list', z.array(z.object({ _id: z.uuid() })), [{ _id: id }], [{ _id: plain }]],
    ['a record', z.record(z.string(), z.uuid()), { A: id }, { A: plain }],
    ['one of several kinds', z.object({ who: z.union([z.enum(['staff']), z.uuid()]) }), { who: id }, { who: plain }],
    [
      'one of several forms',
      z.union([z.object({ a: z.string() }), z.object({ b: z.uuid() })]),
      { b: id },
      { b: plain },
    ],
    [
      'a field that is read first',
      z.object({ id: z.preprocess((given) => given || undefined, z.uuid().optional()) }),
      { id },
      { id: plain },
    ],
    ['a refined object', z.object({ id: z.uuid() }).refine(() => true), { id }, { id: plain }],
  ] as const)
    it(`have one spelling in ${place}`, () => assert.deepEqual(normalizeIds(schema, value), expected))

  it('leave texts and unknown fields as they are', () => {
    const schema = z.object({ id: z.uuid(), text: z.string() })
    assert.deepEqual(normalizeIds(schema, { id, text: id, more: id }), { id: plain, text: id, more: id })
  })

  it('leave what is no id for the schema to refuse', () => {
    const schema = z.object({ id: z.uuid(), ids: z.array(z.uuid()) })
    for (const value of [{ id: 'NOBODY', ids: 'A' }, { id: 7, ids: {} }, { id: [id] }, [id], id, null, undefined])
      assert.deepEqual(normalizeIds(schema, value), value)
  })

  it('copy nothing where there are none', () => {
    const value = { text: 'A' }
    assert.equal(normalizeIds(z.object({ text: z.string() }), value), value)
  })
})
