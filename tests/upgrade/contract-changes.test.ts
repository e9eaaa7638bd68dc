// spec: OP operation
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Call, defineCall } from '@atrium/contract/call.ts'
import { z } from 'zod'
import { misunderstandings } from './contract-changes.ts'

const of = (answer: z.ZodRawShape, input: z.ZodRawShape = {}): Map<string, Call> => {
  const call = { method: 'POST', path: '/a', access: 'member' } as const
  return new Map([['POST /a', defineCall({ ...call, input: z.object(input), answer: z.object(answer) })]])
}
const state = (...names: string[]) => z.enum(names)
const person = (shape: z.ZodRawShape) => z.array(z.object(shape).nullable())

for (const [what, pages, processes, found] of [
  ['the same', of({ name: z.string() }), of({ name: z.string() }), []],
  ['an additional field in the answer', of({}), of({ name: z.string() }), []],
  [
    'a field that the other version does not send yet',
    of({ name: z.string() }),
    of({}),
    ['answers: name may be missing'],
  ],
  ['the same, and the page has a default', of({ name: z.string().default('') }), of({}), []],
  [
    'deep inside',
    of({ all: person({ age: z.int() }) }),
    of({ all: person({}) }),
    ['answers.all[]: age may be missing'],
  ],
  ['one value fewer', of({ state: state('a', 'b') }), of({ state: state('a') }), []],
  ['one value more', of({ state: state('a') }), of({ state: state('a', 'b') }), ['answers.state: b is not known']],
  [
    'a value that may be null',
    of({ name: z.string() }),
    of({ name: z.string().nullable() }),
    ['answers.name: null where string is expected'],
  ],
  ['another type', of({ age: z.string() }), of({ age: z.int() }), ['answers.age: integer where string is expected']],
  [
    'one of several',
    of({ is: z.union([z.object({ kind: z.literal('a'), age: z.int() }), z.object({ kind: z.literal('b') })]) }),
    of({ is: z.union([z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]) }),
    ['answers.is(a): age may be missing'],
  ],
  ['an optional field of the request', of({}), of({}, { name: z.string().optional() }), []],
  ['a required field of the request', of({}), of({}, { name: z.string() }), ['is sent: name may be missing']],
] as const)
  test(`finds what pages of one version misunderstand of another: ${what}`, () => {
    assert.deepEqual(
      misunderstandings(pages, processes),
      found.map((each) => `POST /a ${each}`),
    )
  })
