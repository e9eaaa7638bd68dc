import type { z } from 'zod'
import { parseShallow } from '../foundation/json.ts'

type Def = {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
  values?: readonly unknown[]
  element?: z.ZodType
  shape?: Readonly<Record<string, z.ZodType>>
  valueType?: z.ZodType
}

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fits = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success

/**
 * Converts form text to the types of the schema: numbers, checkboxes, single values of lists, and objects as JSON. Leaves anything
 * unreadable for the schema to refuse.
 */
export function readFormValue(schema: z.ZodType, value: unknown): unknown {
  const def = defOf(schema)
  if (def.innerType) return readOptional(def.type, def.innerType, value)
  if (def.type === 'pipe') return readFormValue(isPreprocessing(def) ? (def.out ?? schema) : (def.in ?? schema), value)
  if (def.type === 'union') return readUnion(def.options ?? [], value)
  if (def.type === 'literal') return readLiteral(def.values ?? [], value)
  if (def.type === 'array') return readList(def, value)
  if (def.type === 'object' || def.type === 'record') return readObject(def, value)
  if (typeof value !== 'string') return value
  if (def.type === 'number') return readNumber(value)
  return def.type === 'boolean' ? readTick(value) : value
}

const readNumber = (text: string): string | number => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text)

/**
 * Converts JSON of clients that send their form's model: null for a field that is not filled in, which counts as missing where it is
 * optional and no null is valid, and a number as text, as a `<select>` has it.
 */
export function readJsonValue(schema: z.ZodType, value: unknown): unknown {
  const { type, innerType, shape } = defOf(schema)
  if (innerType) return readJsonValue(innerType, value)
  if (type === 'number' && typeof value === 'string') return readNumber(value)
  if (!shape || !isRecord(value)) return value
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!inner) return [name, each]
    const isMissing = each === null && fits(inner, undefined) && !fits(inner, null)
    return [name, isMissing ? undefined : readJsonValue(inner, each)]
  })
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

const isPreprocessing = ({ in: first }: Def): boolean => first !== undefined && defOf(first).type === 'transform'

/** An empty field counts as missing, unless the empty text is a valid value. */
function readOptional(type: string, inner: z.ZodType, value: unknown): unknown {
  if (value !== '' || fits(inner, '')) return readFormValue(inner, value)
  return type === 'nullable' || fits(inner, null) ? null : undefined
}

function readUnion(options: readonly z.ZodType[], value: unknown): unknown {
  if (options.some((option) => fits(option, value))) return value
  for (const option of options) {
    const read = readFormValue(option, value)
    if (fits(option, read)) return read
  }
  return value
}

function readLiteral(values: readonly unknown[], value: unknown): unknown {
  if (values.includes(value) || typeof value !== 'string') return value
  const ticked = readTick(value)
  return values.find((each) => each === ticked || (typeof each === 'number' && String(each) === value)) ?? value
}

function readList({ element }: Def, value: unknown): unknown {
  const list = listOf(value)
  return Array.isArray(list) && element ? list.map((each) => readFormValue(element, each)) : list
}

function listOf(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? [] : value.startsWith('[') ? readJson(value) : [value]
  // `files[0]=…&files[1]=…`
  return isRecord(value) && Object.keys(value).every((name) => /^\d{1,4}$/.test(name)) ? Object.values(value) : value
}

function readObject({ shape, valueType }: Def, value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('{') ? readJson(value) : value
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const schema = valueType ?? (shape && Object.hasOwn(shape, name) ? shape[name] : undefined)
    return [name, schema ? readFormValue(schema, each) : each]
  })
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

const ticks: Readonly<Record<string, boolean>> = { true: true, on: true, 1: true, false: false, off: false, 0: false }

/** A checkbox as browsers, PHP and JavaScript send it; other values stay unchanged. */
const readTick = (text: string): unknown => (Object.hasOwn(ticks, text) ? ticks[text] : text)

function readJson(text: string): unknown {
  // Refuses names of Object.prototype, as the JSON parser does for a body.
  if (/"(__proto__|constructor)"\s*:/.test(text)) return text
  try {
    return parseShallow(text)
  } catch {
    return text
  }
}
