import type { z } from 'zod'

/**
 * The values of a record by a key from an answer, which a later version may have added: an unknown key reads as `other`,
 * so that a page shows the rest of what it knows.
 */
export function knownOr<Values extends object>(other: Loose<Values[keyof Values]>, values: Values): Values {
  return new Proxy(values, {
    get: (known, name) => (typeof name === 'symbol' || Object.hasOwn(known, name) ? Reflect.get(known, name) : other),
  })
}

/** The shape of a value: its texts may be any. */
type Loose<Value> = Value extends string
  ? string
  : Value extends readonly unknown[]
    ? readonly unknown[]
    : Value extends (...given: never[]) => unknown
      ? Value
      : { [Name in keyof Value]: Loose<Value[Name]> }

/** What a person reads in place of an unknown value, and of an unknown state. */
export const otherLabel = 'Other'
export const otherReason = 'This page does not know the reason yet. Please reload it.'
export const otherState = { label: otherLabel, meaning: 'grey' } as const

type Place = readonly PropertyKey[]
type Parsed<Schema extends z.ZodType> =
  | { success: true; data: z.output<Schema>; unknown: Place[] }
  | { success: false; error: z.ZodError<z.output<Schema>> }

/**
 * Reads an answer by its schema and keeps values that an enumeration does not have: while two versions run, a page or a
 * process of the earlier one meets values of the later one. Of an object of an unknown kind only the kind is kept,
 * where the schema allows null or it is one of a list; every other difference fails.
 */
export function parseWithUnknown<Schema extends z.ZodType>(schema: Schema, answer: unknown): Parsed<Schema> {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return { ...parsed, unknown: [] }
  const { issues } = parsed.error
  const known = copyOf(answer)
  const variants: Place[] = []
  for (const issue of issues) {
    if (issue.code === 'invalid_value' && isUnknownWord(issue.values, valueAt(answer, issue.path)))
      setAt(known, issue.path, issue.values[0])
    else if (issue.code === 'unrecognized_keys') for (const key of issue.keys) removeAt(known, [...issue.path, key])
    else if (isUnknownKind(issue, answer)) variants.push(issue.path)
    else return { success: false, error: parsed.error }
  }
  const objects = variants.map((path) => path.slice(0, -1))
  // From the end, so that the places of those before stay.
  for (const place of objects.toReversed()) takeOut(known, place)
  const again = schema.safeParse(known)
  if (!again.success) return { success: false, error: parsed.error }
  const { data } = again
  for (const [index, place] of objects.entries()) putBack(data, place, kindAt(answer, variants[index] ?? place))
  const unknown = issues.filter(({ code }) => code === 'invalid_value').map(({ path }) => path)
  for (const path of unknown) setAt(data, path, valueAt(answer, path))
  return { success: true, data, unknown: [...unknown, ...variants] }
}

type Issue = z.core.$ZodIssue

/** An object of a union whose discriminator is a word that no option has. The answer itself cannot be left out. */
const isUnknownKind = (issue: Issue, answer: unknown): boolean =>
  issue.code === 'invalid_union' &&
  issue.discriminator !== undefined &&
  issue.path.length > 1 &&
  typeof valueAt(answer, issue.path) === 'string'

const kindAt = (answer: unknown, path: Place): object => ({ [path.at(-1) ?? '']: valueAt(answer, path) })

function takeOut(value: unknown, place: Place): void {
  const [last, parent] = [place.at(-1), valueAt(value, place.slice(0, -1))]
  if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1)
  else setAt(value, place, null)
}

function putBack(value: unknown, place: Place, object: object): void {
  const [last, parent] = [place.at(-1), valueAt(value, place.slice(0, -1))]
  if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 0, object)
  else setAt(value, place, object)
}

/** A literal such as the status of an answer has one value, and means something else than an unknown one. */
const isUnknownWord = (values: readonly unknown[], given: unknown): boolean =>
  typeof given === 'string' && values.length > 1 && values.every((value) => typeof value === 'string')

/** Answers are JSON with moments as numbers; a server's answer may share rows with other answers. */
const copyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]))
}

const inside = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const valueAt = (value: unknown, path: Place): unknown => path.reduce(inside, value)

function setAt(value: unknown, path: Place, to: unknown): void {
  const [last, parent] = [path.at(-1), valueAt(value, path.slice(0, -1))]
  if (last !== undefined && typeof parent === 'object' && parent !== null) Reflect.set(parent, last, to)
}

function removeAt(value: unknown, path: Place): void {
  const [last, parent] = [path.at(-1), valueAt(value, path.slice(0, -1))]
  if (last !== undefined && typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last)
}
