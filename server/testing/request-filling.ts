import type { Call } from '@atrium/contract/call.ts'
import { z } from 'zod'

/** A JSON schema as far as it is read here. */
type Shape = {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
}

type Given = {
  /** What goes into the field of that path; undefined where the schema is to say it. */
  idAt(path: string): string | undefined
  /** Fields whose right value the schema does not tell, by name. */
  known: Record<string, unknown>
}

/** Ids by their name where the schema does not say that they are some; the address of a wallet is nobody's id here. */
const idName = /(?<!^address)(^|_)id$/

const shapeOf = (call: Call, io: 'input' | 'output'): Shape =>
  z.toJSONSchema(call.input, { io, unrepresentable: 'any' }) as Shape

/** The fields of a call that take an id, by their path: `files`, `addresses._id`. Places in the path are among them. */
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

/** A body of the right shape, or a complaint that names the field for which nobody has said what to give. */
export function fillInput(call: Call, given: Given): Record<string, unknown> {
  const input = variantOf(shapeOf(call, 'input'))
  const output = variantOf(shapeOf(call, 'output'))
  if (!input.properties) throw new Error(`${call.path}: its input is no plain object, teach testing/request-filling.ts`)
  const names = Object.keys(input.properties)
  return Object.fromEntries(
    names.flatMap((name) => {
      const shapes = [input.properties?.[name], output.properties?.[name]].filter((each) => each !== undefined)
      const value = fill(shapes, name, given, call)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Of an input with variants the one that takes an id, if any does. */
function variantOf(shape: Shape): Shape {
  const variants = shape.oneOf ?? []
  return variants.find((each) => Object.values(each.properties ?? {}).some(holdsUuid)) ?? variants[0] ?? shape
}

function fill(shapes: Shape[], path: string, given: Given, call: Call): unknown {
  const name = path.split('.').at(-1) ?? ''
  const isId = idName.test(name) || shapes.some((shape) => holdsUuid(shape))
  const id = isId ? given.idAt(path) : undefined
  const list = shapes.find((shape) => shape.items)
  if (list?.items?.properties) return [fillObject(list.items, path, given, call)]
  if (id !== undefined) return list ? [id] : id
  if (name in given.known) return given.known[name]
  for (const shape of shapes) {
    const value = plain(shape, path, given, call)
    if (value !== undefined) return value
  }
  throw new Error(
    `${call.method} ${call.path}: nobody has said what to give for ${path} (known values in testing/matrix/requests.ts)`,
  )
}

const holdsUuid = (shape: Shape): boolean =>
  shape.format === 'uuid' || [shape.items, ...(shape.anyOf ?? [])].some((each) => each !== undefined && holdsUuid(each))

function fillObject(shape: Shape, path: string, given: Given, call: Call): Record<string, unknown> {
  const entries = Object.entries(shape.properties ?? {})
  return Object.fromEntries(
    entries
      .map(([key, inner]) => [key, fill([inner], `${path}.${key}`, given, call)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function plain(shape: Shape, path: string, given: Given, call: Call): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  const either = shape.anyOf?.[0] ?? shape.allOf?.[0]
  if (either) return plain(either, path, given, call)
  const type = [shape.type].flat()[0]
  if (type === 'string') return 'x'.repeat(Math.max(shape.minLength ?? 1, 1))
  if (type === 'integer' || type === 'number') return Math.max(shape.minimum ?? (shape.exclusiveMinimum ?? 0) + 1, 1)
  if (type === 'boolean') return true
  if (type === 'array') return shape.items ? [plain(shape.items, path, given, call)] : []
  return type === 'object' ? fillObject(shape, path, given, call) : undefined
}
