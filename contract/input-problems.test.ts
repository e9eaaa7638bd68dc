import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { z } from 'zod'
import type { Call } from './call.ts'
import { formDefinitionTexts, formTexts } from './forms/form-texts.ts'
import { describeInputProblem } from './input-problems.ts'
import { texts } from './texts.ts'
import { validatorTexts } from './validators/messages.ts'

const files = globSync('**/*.ts', {
  cwd: import.meta.dirname,
  exclude: ['**/*.test.ts', 'node_modules/**', 'translations/**'],
})
const exported = await Promise.all(
  files.map((name) => import(join(import.meta.dirname, name)) as Promise<Record<string, unknown>>),
)
const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'access' in value
const calls = exported.flatMap((module) => Object.values(module).filter(isCall))

const wrong = [undefined, null, '', ' ', 'x', '\u0000', 'x'.repeat(300_000), 0, -7, 1e9, 1.5, true, {}, []]
const inLists = [...wrong.map((value) => [value]), Array.from({ length: 1_000 }, (_, at) => at)]

/** All lists of texts that the contract exports. */
const inThisFolder = exported.flatMap((module) =>
  Object.entries(module).flatMap(([name, value]) => (/[tT]exts$/.test(name) ? Object.values(value as object) : [])),
)
const ours = [
  ...inThisFolder.filter((text) => typeof text === 'string'),
  ...Object.values(formTexts),
  ...Object.values(formDefinitionTexts),
  ...Object.values(validatorTexts),
].map((text) => {
  const parts = text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`)
})

it('every invalid value in every field of every call is answered with one of our texts', () => {
  assert.ok(calls.length > 100, String(calls.length))
  const foreign = new Set<string>()
  for (const { path, input } of calls) {
    const shape = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape
    for (const base of [shape, ...(shape.oneOf ?? []), ...(shape.anyOf ?? [])])
      for (const name of Object.keys(base.properties ?? {}))
        for (const value of [...wrong, ...inLists]) {
          const chosen = constantsOf(base)
          const issues =
            input.safeParse({ ...chosen, [name]: value }, { error: describeInputProblem }).error?.issues ?? []
          for (const { message } of issues)
            if (!ours.some((text) => text.test(message))) foreign.add(`${path} ${name}: ${message}`)
        }
  }
  assert.deepEqual([...foreign], [])
})

type Shape = { properties?: Record<string, { const?: unknown }>; oneOf?: Shape[]; anyOf?: Shape[] }

/** The constants that distinguish one variant of an input from another. */
function constantsOf({ properties = {} }: Shape): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (field.const === undefined ? [] : [[name, field.const]])),
  )
}

it('a missing, too large or otherwise invalid value has a text', () => {
  const saysOf = (schema: z.ZodType, value: unknown) =>
    schema.safeParse(value, { error: describeInputProblem }).error?.issues.map(({ message }) => message)
  assert.deepEqual(saysOf(z.uuid(), undefined), [texts.fieldsMissing])
  assert.deepEqual(saysOf(z.uuid(), 'x'), [texts.valueRefused])
  assert.deepEqual(saysOf(z.string().min(1), ''), [texts.fieldsMissing])
  assert.deepEqual(saysOf(z.string().max(3), 'four'), ['Use at most 3 characters.'])
  assert.deepEqual(saysOf(z.array(z.string()).max(1), ['a', 'b']), ['Choose at most 1 entries.'])
  assert.deepEqual(saysOf(z.int().max(9), 10), ['Enter a number of at most 9.'])
  assert.deepEqual(saysOf(z.int().min(2), 1), ['Enter a number of at least 2.'])
  assert.deepEqual(saysOf(z.enum(['a']), 'b'), [texts.valueRefused])
  assert.deepEqual(saysOf(z.string().max(3, 'Its own words.'), 'four'), ['Its own words.'])
})
