import type { Call } from '@atrium/contract/call.ts'
import { z } from 'zod'

/** The part of a JSON schema that this file reads. */
type Shape = {
  format?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

/** Matches ids by name where the schema does not mark them; a wallet's address id is not a row id. */
const idName = /(?<!^address)(^|_)id$/

const shapeOf = (call: Call, io: 'input' | 'output'): Shape =>
  z.toJSONSchema(call.input, { io, unrepresentable: 'any' }) as Shape

/** The fields of a call that take an id, by path: `files`, `addresses._id`. Includes path parameters. */
export function idFieldsOf(call: Call): string[] {
  const found = new Set<string>()
  for (const io of ['input', 'output'] as const) collect(shapeOf(call, io), '', found)
  return [...found]
}

function collect(shape: Shape, path: string, found: Set<string>): void {
  const name = path.split('.').at(-1) ?? ''
  if (shape.format === 'uuid' || (idName.test(name) && !shape.properties)) found.add(path)
  for (const each of [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])])
    collect(each, path, found)
  if (shape.items) collect(shape.items, path, found)
  for (const [key, inner] of Object.entries(shape.properties ?? {}))
    collect(inner, path === '' ? key : `${path}.${key}`, found)
}
