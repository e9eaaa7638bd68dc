import { z } from 'zod'

/** The parts of a schema's definition that lead to the ids in its values. */
type Def = {
  type: string
  format?: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
  element?: z.ZodType
  shape?: Readonly<Record<string, z.ZodType>>
  valueType?: z.ZodType
}

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def
const id = z.uuid()
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Ids in lower case, as the database returns them: our code compares them as text, so another spelling would name nobody
 * in a check and somebody in the statement after it. Only where the schema takes an id; texts stay as they are.
 */
export function normalizeIds(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined || !takesIds(schema)) return value
  const { format, innerType, in: first, out, options, element, shape, valueType } = defOf(schema)
  if (format === 'uuid') return id.safeParse(value).success ? String(value).toLowerCase() : value
  if (innerType) return normalizeIds(innerType, value)
  if (first && out) return normalizeIds(out, normalizeIds(first, value))
  if (options) return options.reduce((read: unknown, option) => normalizeIds(option, read), value)
  if (element) return Array.isArray(value) ? value.map((each) => normalizeIds(element, each)) : value
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, each]) => {
    const inner = valueType ?? (shape && Object.hasOwn(shape, name) ? shape[name] : undefined)
    return [name, inner ? normalizeIds(inner, each) : each] as const
  })
  return Object.fromEntries(entries)
}

const known = new WeakMap<z.ZodType, boolean>()

/** Whether an id can be anywhere in its values. Most schemas take none, and their values are not copied. */
function takesIds(schema: z.ZodType): boolean {
  const earlier = known.get(schema)
  if (earlier !== undefined) return earlier
  const { format, innerType, in: first, out, options, element, shape, valueType } = defOf(schema)
  const parts = [innerType, first, out, element, valueType, ...(options ?? []), ...Object.values(shape ?? {})]
  const takes = format === 'uuid' || parts.some((part) => part !== undefined && takesIds(part))
  known.set(schema, takes)
  return takes
}
