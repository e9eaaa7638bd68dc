import { refuse } from './errors.ts'

/** The fields of a form in order: names as sent, values as text, files by id. */
export type FormFields = readonly (readonly [name: string, value: unknown])[]

export const formUnreadable = 'The form could not be read.'
const namesMax = 4

type Name = { path: readonly string[]; isList: boolean }

/** Parses `a[b][c]`; returns an empty path for a malformed name. */
export function readName(name: string): Name {
  if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(name)) return { path: [], isList: false }
  const names = [...name.matchAll(/^[^[\]]+|\[([^[\]]*)\]/g)].map(([whole, inner]) => inner ?? whole)
  const isList = names.length > 1 && names.at(-1) === ''
  return { path: isList ? names.slice(0, -1) : names, isList }
}

/** The object that a form encodes: `a[b]` is a field of `a`, and a trailing `[]` makes a list. */
export function objectOf(fields: FormFields): Record<string, unknown> {
  const body = new Map<string, unknown>()
  for (const [name, value] of fields) put(body, name, value)
  return asObject(body)
}

/** Refuses field names that every object inherits. */
function put(body: Map<string, unknown>, name: string, value: unknown): void {
  const { path, isList } = readName(name)
  const isReadable = path.length > 0 && path.length <= namesMax && !path.some((each) => each in {})
  if (!isReadable) refuse('malformed', formUnreadable)
  let place = body
  for (const step of path.slice(0, -1)) {
    const inner = place.get(step) ?? new Map<string, unknown>()
    if (!(inner instanceof Map)) refuse('malformed', formUnreadable)
    place.set(step, inner)
    place = inner
  }
  const last = path.at(-1) ?? ''
  const before = place.get(last)
  if (!isList) place.set(last, value)
  else if (Array.isArray(before)) before.push(value)
  else place.set(last, [value])
}

function asObject(map: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...map].map(([name, value]) => [name, value instanceof Map ? asObject(value) : value]))
}

/** Clients send an id, or an object that contains it. */
export function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '_id' in value ? value._id : value
}

export type Body = Readonly<Record<string, unknown>>
