import type { Call } from '@atrium/contract/call.ts'
import { z } from 'zod'

/** The part of a JSON schema that this file reads. */
type Shape = {
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  additionalProperties?: Shape | boolean
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

/** The path of a text in a body: `['addresses', 0, 'city']`. */
export type Way = readonly (string | number)[]

/** The paths of all texts in a call's input that the schema does not limit to fixed values. */
export function textFieldsOf(call: Call): Way[] {
  const found = new Map<string, Way>()
  for (const way of waysIn(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Shape, []))
    found.set(way.join('.'), way)
  return [...found.values()]
}

function waysIn(shape: Shape, way: Way): Way[] {
  const inner = [shape.anyOf, shape.oneOf, shape.allOf].flatMap((part) =>
    (part ?? []).flatMap((each) => waysIn(each, way)),
  )
  if (shape.items) inner.push(...waysIn(shape.items, [...way, 0]))
  if (typeof shape.additionalProperties === 'object')
    inner.push(...waysIn(shape.additionalProperties, [...way, 'some']))
  for (const [name, field] of Object.entries(shape.properties ?? {})) inner.push(...waysIn(field, [...way, name]))
  const isFree = shape.type === 'string' && !shape.enum && shape.const === undefined
  return isFree ? [way, ...inner] : inner
}

/** The same body with this text at that path; creates missing parents. */
export function withText(body: unknown, [step, ...rest]: Way, text: string): unknown {
  if (step === undefined) return text
  if (typeof step === 'number') return [withText(Array.isArray(body) ? body[0] : undefined, rest, text)]
  const held = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return Object.fromEntries([
    ...Object.entries(held).filter(([name]) => name !== step),
    [step, withText(new Map(Object.entries(held)).get(step), rest, text)],
  ])
}
