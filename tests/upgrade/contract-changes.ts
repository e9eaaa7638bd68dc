import type { Call } from '@atrium/contract/call.ts'
import { z } from 'zod'
import { contractCalls } from '../every-call/contract-calls.ts'

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Every call of the contract in a folder, by method and path. */
export async function callsIn(folder: string): Promise<Map<string, Call>> {
  return new Map((await contractCalls(folder)).map((call) => [`${call.method} ${call.path}`, call]))
}

/** The incompatibilities between one version's pages and the other's processes, in answers and requests. */
export function misunderstandings(pages: Map<string, Call>, processes: Map<string, Call>): string[] {
  return [...pages].flatMap(([name, call]) => {
    const other = processes.get(name)
    if (!other) return []
    return [
      ...misses(shapeOf(call.answer, 'input'), shapeOf(other.answer, 'output'), `${name} answers`),
      ...misses(shapeOf(other.input, 'input'), shapeOf(call.input, 'input'), `${name} is sent`),
    ]
  })
}

const shapeOf = (schema: z.ZodType, io: 'input' | 'output'): Schema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Schema

/** The places where a reader refuses what a writer may write. Ranges and lengths are not compared. */
function misses(reader: Schema, writer: Schema, place: string): string[] {
  const [accepted, written] = [optionsOf(reader), optionsOf(writer)]
  if (accepted.length > 1 || written.length > 1)
    return written.flatMap((option) => {
      const alike = accepted.filter((each) => each.type === option.type && wordOf(each) === wordOf(option))
      const name = wordOf(option) ? `${place}(${wordOf(option)})` : place
      const tries = (alike.length > 0 ? alike : accepted).map((each) => misses(each, option, name))
      return tries.toSorted((one, other) => one.length - other.length)[0] ?? []
    })
  return [
    ...missesOfValue(reader, writer, place),
    ...(reader.required ?? [])
      .filter((name) => writer.properties && !writer.required?.includes(name))
      .map((name) => `${place}: ${name} may be missing`),
    ...Object.entries(reader.properties ?? {}).flatMap(([name, property]) => {
      const other = writer.properties?.[name]
      return other ? misses(property, other, `${place}.${name}`) : []
    }),
    ...(reader.items && writer.items ? misses(reader.items, writer.items, `${place}[]`) : []),
  ]
}

function optionsOf(schema: Schema): Schema[] {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.flatMap(optionsOf)
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

/** The constant properties that discriminate an option of a union. */
const wordOf = ({ properties = {} }: Schema): string =>
  Object.values(properties)
    .flatMap((property) => (typeof property.const === 'string' ? [property.const] : []))
    .join(' ')

const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const])

function missesOfValue(reader: Schema, writer: Schema, place: string): string[] {
  const [known, said] = [valuesOf(reader), valuesOf(writer)]
  if (known && said) return said.filter((each) => !known.includes(each)).map((each) => `${place}: ${each} is not known`)
  const isOther = reader.type !== undefined && writer.type !== undefined && reader.type !== writer.type
  return isOther && !(reader.type === 'number' && writer.type === 'integer')
    ? [`${place}: ${writer.type} where ${reader.type} is expected`]
    : []
}
