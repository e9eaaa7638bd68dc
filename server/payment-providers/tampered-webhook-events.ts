/** A message as the provider sends it. */
export type RawMessage = { method: string; query: string; body: Buffer; headers: Record<string, string> }
type Part = 'json' | 'form' | 'query' | 'headers'
/** The location of a signature in a message. */
type Place = { part: Part; name: string }

/** Finds the signature as the difference between the same message signed with two secrets. */
export function signaturesOf(one: RawMessage, other: RawMessage): Place[] {
  return (['json', 'form', 'query', 'headers'] as const).flatMap((part) => {
    const [ours, theirs] = [fieldsOf(one, part), fieldsOf(other, part)]
    return Object.keys(ours)
      .filter((name) => JSON.stringify(ours[name]) !== JSON.stringify(theirs[name]))
      .map((name) => ({ part, name }))
  })
}

/** The genuine message with its signature removed, emptied, shortened, altered, extended, or of another type. */
export function withTamperedSignature(webhookEvent: RawMessage, places: readonly Place[]): RawMessage[] {
  return places.flatMap((place) => {
    const value = String(fieldsOf(webhookEvent, place.part)[place.name])
    const last = value.endsWith('0') ? '1' : '0'
    const forms: unknown[] = [undefined, '', value.slice(0, -1), `${value.slice(0, -1)}${last}`, `${value}0`]
    const ofJson: unknown[] = place.part === 'json' ? [[value], { toString: value }, null, true] : []
    return [...forms, ...ofJson].map((form) => withField(webhookEvent, place, form))
  })
}

function fieldsOf({ body, query, headers }: RawMessage, part: Part): Record<string, unknown> {
  if (part === 'headers') return headers
  if (part === 'query') return Object.fromEntries(new URLSearchParams(query))
  const text = body.toString('utf8')
  const isJson = text.startsWith('{')
  if (part === 'json') return isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  return isJson || text === '' ? {} : Object.fromEntries(new URLSearchParams(text))
}

function withField(webhookEvent: RawMessage, { part, name }: Place, value: unknown): RawMessage {
  if (part === 'json')
    return { ...webhookEvent, body: Buffer.from(JSON.stringify({ ...fieldsOf(webhookEvent, 'json'), [name]: value })) }
  if (part === 'headers') {
    const { [name]: _signature, ...others } = webhookEvent.headers
    return { ...webhookEvent, headers: value === undefined ? others : { ...others, [name]: String(value) } }
  }
  const fields = new URLSearchParams(part === 'query' ? webhookEvent.query : webhookEvent.body.toString('utf8'))
  if (value === undefined) fields.delete(name)
  else fields.set(name, String(value))
  return part === 'query'
    ? { ...webhookEvent, query: fields.toString() }
    : { ...webhookEvent, body: Buffer.from(fields.toString()) }
}
