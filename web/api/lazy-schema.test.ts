import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { lazySchema } from './lazy-schema.ts'

it('a lazy schema is built when it is first used, and once', () => {
  let times = 0
  const schema = lazySchema(() => {
    times += 1
    return z.object({ amount: z.string() })
  })
  const around = lazySchema(() => z.object({ rows: z.array(schema.extend({ id: z.int() })), last: schema.nullable() }))
  assert.equal(times, 0)
  assert.ok(schema instanceof z.ZodObject)
  const value = { rows: [{ amount: '1.50', id: 1 }], last: { amount: '2' } }
  assert.deepEqual(around.parse(value), value)
  assert.equal(
    around.safeParse({ rows: [{ amount: 1, id: 1 }], last: null }).error?.issues[0]?.path.join('.'),
    'rows.0.amount',
  )
  assert.deepEqual(Object.keys(schema.shape), ['amount'])
  assert.equal(times, 1)
})

it('lazy schemas are options of a union and values of a record', () => {
  const kinds = lazySchema(() => z.enum(['one', 'two']))
  const one = lazySchema(() => z.object({ kind: z.literal('one'), of: kinds }))
  const two = lazySchema(() => z.object({ kind: z.literal('two') }))
  const either = z.discriminatedUnion('kind', [one, two])
  assert.deepEqual(either.parse({ kind: 'one', of: 'two' }), { kind: 'one', of: 'two' })
  assert.ok(!either.safeParse({ kind: 'one', of: 'three' }).success)
  assert.deepEqual(z.record(kinds, z.int()).parse({ one: 1, two: 2 }), { one: 1, two: 2 })
  assert.deepEqual(z.union([kinds, z.int()]).optional().parse('one'), 'one')
})
