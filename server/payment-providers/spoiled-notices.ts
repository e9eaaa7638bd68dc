/** A message as a provider sends it, before anybody has read it. */
export type RawNotice = { method: string; query: string; body: Buffer; headers: Record<string, string> }
type Part = 'json' | 'form' | 'query' | 'headers'
/** Where in a message a signature stands. */
type Place = { part: Part; name: string }

/** What differs between the same message signed with two secrets: there the signature is, whatever the provider calls it. */
export function signaturesOf(one: RawNotice, other: RawNotice): Place[] {
  return (['json', 'form', 'query', 'headers'] as const).flatMap((part) => {
    const [ours, theirs] = [fieldsOf(one, part), fieldsOf(other, part)]
    return Object.keys(ours)
      .filter((name) => JSON.stringify(ours[name]) !== JSON.stringify(theirs[name]))
      .map((name) => ({ part, name }))
  })
}

/** The genuine message with its signature left out, emptied, shortened, flipped, in capitals where it had none, or of another kind. */
export function spoiled(notice: RawNotice, places: readonly Place[]): RawNotice[] {
  return places.flatMap((place) => {
    const value = String(fieldsOf(notice, place.part)[place.name])
    const last = value.endsWith('0') ? '1' : '0'
    const forms: unknown[] = [undefined, '', value.slice(0, -1), `${value.slice(0, -1)}${last}`, `${value}0`]
    const ofJson: unknown[] = place.part === 'json' ? [[value], { toString: value }, null, true] : []
    return [...forms, ...ofJson].map((form) => withField(notice, place, form))
  })
}

function fieldsOf({ body, query, headers }: RawNotice, part: Part): Record<string, unknown> {
  if (part === 'headers') return headers
  if (part === 'query') return Object.fromEntries(new URLSearchParams(query))
  const text = body.toString('utf8')
  const isJson = text.startsWith('{')
  if (part === 'json') return isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  return isJson || text === '' ? {} : Object.fromEntries(new URLSearchParams(text))
}

function withField(notice: RawNotice, { part, name }: Place, value: unknown): RawNotice {
  if (part === 'json')
    return { ...notice, body: Buffer.from(JSON.stringify({ ...fieldsOf(notice, 'json'), [name]: value })) }
  if (part === 'headers') {
    const { [name]: _signature, ...others } = notice.headers
    return { ...notice, headers: value === undefined ? others : { ...others, [name]: String(value) } }
  }
  const fields = new URLSearchParams(part === 'query' ? notice.query : notice.body.toString('utf8'))
  if (value === undefined) fields.delete(name)
  else fields.set(name, String(value))
  return part === 'query'
    ? { ...notice, query: fields.toString() }
    : { ...notice, body: Buffer.from(fields.toString()) }
}
