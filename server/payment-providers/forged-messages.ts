import { isObject, type JsonObject } from './messages.ts'
import type { RawMessage } from './tampered-webhook-events.ts'

/** Changes a message and keeps its signature, as an attacker who saw one could. */

export const isJson = ({ body }: RawMessage): boolean => body.toString('utf8').trimStart().startsWith('{')

/** By name, or by a dotted path inside JSON. Null for a missing value. */
export function valueIn(webhookEvent: RawMessage, name: string): string | null {
  if (!isJson(webhookEvent)) return new URLSearchParams(webhookEvent.body.toString('utf8')).get(name)
  const value = name
    .split('.')
    .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), jsonOf(webhookEvent))
  return value === undefined || value === null ? null : String(value)
}

const jsonOf = ({ body }: RawMessage): JsonObject => JSON.parse(body.toString('utf8')) as JsonObject

function changedIn(at: JsonObject, [name = '', ...rest]: readonly string[], value: string | undefined): JsonObject {
  const inner = at[name]
  if (rest.length > 0) return { ...at, [name]: changedIn(isObject(inner) ? inner : {}, rest, value) }
  const { [name]: _old, ...others } = at
  if (value === undefined) return others
  return { ...at, [name]: typeof inner === 'number' ? Number(value) : value }
}

/** Undefined removes the field. */
export function withValues(webhookEvent: RawMessage, values: Readonly<Record<string, string | undefined>>): RawMessage {
  if (isJson(webhookEvent)) {
    const changed = Object.entries(values).reduce(
      (at, [name, value]) => changedIn(at, name.split('.'), value),
      jsonOf(webhookEvent),
    )
    return { ...webhookEvent, body: Buffer.from(JSON.stringify(changed)) }
  }
  const fields = new URLSearchParams(webhookEvent.body.toString('utf8'))
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) fields.delete(name)
    else fields.set(name, value)
  }
  return { ...webhookEvent, body: Buffer.from(fields.toString()) }
}

/** Appends the name a second time with another value. */
export function withRepeatedField(webhookEvent: RawMessage, name: string, value: string): RawMessage {
  const text = webhookEvent.body.toString('utf8')
  if (!isJson(webhookEvent))
    return { ...webhookEvent, body: Buffer.from(`${text}&${new URLSearchParams({ [name]: value })}`) }
  const [top = ''] = name.split('.')
  const again = name.includes('.') ? { [name.slice(top.length + 1)]: value } : value
  return { ...webhookEvent, body: Buffer.from(`${text.trimEnd().slice(0, -1)},"${top}":${JSON.stringify(again)}}`) }
}

/** Another value of the same format: its last letter or digit is the next one. */
export function alteredValue(value: string): string {
  const last = value.at(-1) ?? ''
  const next =
    last === '9' ? '1' : last === 'z' ? 'a' : last === 'Z' ? 'A' : String.fromCharCode(last.charCodeAt(0) + 1)
  return `${value.slice(0, -1)}${next}`
}

/**
 * Moves characters across each border between neighbouring values, both ways: concatenated, the values are unchanged.
 */
export function withShiftedBorders(webhookEvent: RawMessage, names: readonly string[], signsMax = 12): RawMessage[] {
  return names.slice(1).flatMap((right, at) => {
    const left = names[at] ?? ''
    const [one, other] = [valueIn(webhookEvent, left) ?? '', valueIn(webhookEvent, right) ?? '']
    const forward = Array.from({ length: Math.min(one.length, signsMax) }, (_none, index) => {
      const cut = one.length - index - 1
      return { [left]: one.slice(0, cut), [right]: `${one.slice(cut)}${other}` }
    })
    const backward = Array.from({ length: Math.min(other.length, signsMax) }, (_none, index) => ({
      [left]: `${one}${other.slice(0, index + 1)}`,
      [right]: other.slice(index + 1),
    }))
    return [...forward, ...backward].map((values) => withValues(webhookEvent, values))
  })
}
