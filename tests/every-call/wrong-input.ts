import assert from 'node:assert/strict'
import fc from 'fast-check'
import { z } from 'zod'
import { changesSince } from '../catalogue/watched-changes.ts'
import type { Answered } from '../fixtures/caller.ts'
import { type CallRoute, type EveryCall, prepare, send } from './fixture.ts'
import { fewHostileStrings, hostileStrings, millionChars } from './hostile-strings.ts'
import { drawn, isOfMoney, numberOf } from './sample.ts'
import { textFieldsOf, type Way, withText } from './text-fields.ts'
import type { ValidRequest } from './valid-requests/valid-request.ts'

/** How much malformed input is tried on a call. */
type Measure = {
  bodies: number
  /** Each is tried alone in the field, with all other fields valid. */
  strings(field: string): readonly string[]
  /** Each is tried in all fields together. */
  stringsAtOnce: readonly string[]
}

export const everyDay = (route: CallRoute): Measure => ({
  bodies: isOfMoney(route.call) ? 5 : 2,
  strings: (field) => drawn.pick(`text ${route.name} ${field}`, fewHostileStrings, isOfMoney(route.call) ? 4 : 1),
  stringsAtOnce: [],
})
export const everything: Measure = { bodies: 60, strings: () => fewHostileStrings, stringsAtOnce: hostileStrings }

/** No malformed input causes a fault, and no response reveals internals. */
export async function tryWrongInput(fixture: EveryCall, route: CallRoute, measure: Measure): Promise<void> {
  let own: ValidRequest | null = null
  let accepted = 0
  const ask = async (change: (request: ValidRequest) => ValidRequest, where: string): Promise<void> => {
    own ??= await prepare(fixture, route)
    const answer = await send(fixture, route, change(own))
    assertSafeAnswer(answer, where)
    // An accepted request is used up, and some texts end their session; prepares a new one up to three times.
    if (answer.status < 400) accepted += 1
    if ((answer.status < 400 && accepted <= 3) || answer.status === 401) own = null
  }
  const ways = textFieldsOf(route.call)
  for (const way of ways)
    for (const text of measure.strings(way.join('.')))
      await ask(
        (request) => written(route, request, way, text),
        `${way.join('.')} ${JSON.stringify(text).slice(0, 80)}`,
      )
  const rounds = ways.length > 0 ? measure.stringsAtOnce : []
  for (const [round, text] of rounds.entries()) {
    const textOf = (field: number) => rounds[(round + 31 * field) % rounds.length] as string
    await ask(
      (request) => ways.reduce((all, way, field) => written(route, all, way, textOf(field)), request),
      `every field, from ${JSON.stringify(text).slice(0, 80)} on`,
    )
  }
  for (const body of fc.sample(bodyFor(route), { numRuns: measure.bodies, seed: numberOf(`body ${route.name}`) }))
    await ask((request) => ({ ...request, body: body as object }), JSON.stringify(body).slice(0, 300))
  if (route.method === 'POST' && drawn.has(`large ${route.name}`, 4))
    await ask((request) => ({ ...request, body: { comment: millionChars } }), 'a million characters')
  for (const name of ['polluted', 'x', '0']) assert.equal(({} as Record<string, unknown>)[name], undefined)
  assert.deepEqual(Object.keys(Object.prototype), [])
  await changesSince(fixture.owner)
}

function written(route: CallRoute, { query: _, ...request }: ValidRequest, way: Way, text: string): ValidRequest {
  const field = way.join('.')
  const place = encodeURIComponent(text.toWellFormed()) || 'x'
  return route.url.includes(`:${field}`)
    ? { ...request, places: { ...request.places, [field]: place } }
    : { ...request, body: withText(request.body ?? {}, way, text) as object }
}

const insides = /node_modules|\.ts:\d+|\binsert into\b|violates|_pkey|relation "|kysely|SQLSTATE|ECONN|invalid byte/i

function assertSafeAnswer({ status, body, raw }: Answered, where: string): void {
  const said = `${where}: ${status} ${raw.slice(0, 300)}`
  assert.ok(status < 500, said)
  if (status < 400) return
  assert.equal(typeof body.code, 'string', said)
  assert.ok(!insides.test(raw), said)
  if (status === 422) assert.ok(body.errors ?? body.error, said)
}

const awkward = fc.oneof(
  fc.constantFrom(
    ...['', '\u0000', '__proto__', 'constructor', '../..', "' or 1=1 --", '<script>', '\ud800', '٣', '1e309', 'NaN'],
    '[object Object]',
  ),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -0, 1e308, 2 ** 53, null, true, [], {}, [[]]),
  // Any code unit, including lone surrogates; the library's own generator of such strings takes seconds to start.
  fc.array(fc.nat(0xffff), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Known and unknown fields, in any mixture of valid and invalid values. */
function bodyFor({ call }: CallRoute): fc.Arbitrary<unknown> {
  const { properties = {}, oneOf = [] } = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })
  const known = [...Object.keys(properties), ...oneOf.flatMap((each) => Object.keys(each.properties ?? {}))]
  const names = fc.constantFrom(...known, 'status', 'balance', 'workspace_id', 'role', 'platform_ticket', '_id', 'x')
  return fc.oneof(
    { weight: 5, arbitrary: fc.dictionary(names, awkward, { maxKeys: 8 }) },
    { weight: 1, arbitrary: awkward },
  )
}
