import assert from 'node:assert/strict'
import { newId } from '../../server/foundation/ids.ts'
import { type Column, canariesIn, columnsOf, pictureOf, rowsNaming } from '../catalogue/other-tenant.ts'
import { changesSince } from '../catalogue/watched-changes.ts'
import { type Answered, callerOf } from '../fixtures/caller.ts'
import { assertUnchanged, type CallRoute, type EveryCall, prepare, send } from './fixture.ts'
import { idFieldsOf } from './id-fields.ts'
import { drawn, everySample, sampleFor } from './sample.ts'
import { sendValidRequest } from './valid-requests/send.ts'
import type { ValidRequest } from './valid-requests/valid-request.ts'

/**
 * A person's valid request with the id of a row of another owner gets the same response as with an unknown id, and changes
 * nothing. For another member of the same workspace: each id in that member's own request; for another workspace: the id of a
 * row of the same kind, and of every kind in a whole run.
 */
export async function tryOthersIds(
  fixture: EveryCall,
  route: CallRoute,
  { owns, isWhole = false }: { owns: ValidRequest; isWhole?: boolean },
): Promise<void> {
  const fields = idFieldsOf(route.call)
  if (fields.length === 0) return
  const rows = await rowsOf(
    fixture,
    fields.flatMap((field) => idIn(owns, field) ?? []),
  )
  const sample = isWhole ? everySample : sampleFor(route.call)
  const kinds = sample.pick(`outsider ${route.name}`, ['client', 'sales_person'] as const, 1)
  for (const field of fields) {
    const id = idIn(owns, field)
    const row = rows.find((each) => each.id === id)
    const isOwned = route.call.access === 'member' && row?.memberId === owns.actorId
    if (id && isOwned) for (const memberType of kinds) await compare(field, [['the other member', id]], memberType)
    await compare(field, idsOfOtherTenant(fixture, row?.kind, isWhole ? null : `${route.name} ${field}`), 'client')
  }

  async function compare(field: string, ids: [string, string][], memberType: 'client' | 'sales_person'): Promise<void> {
    let own: ValidRequest | null = null
    const ask = async (id: string): Promise<Compared> => {
      own ??= await prepare({ ...fixture, memberType }, route)
      const answer = await send(fixture, route, withId(own, field, id))
      assert.ok(answer.status < 500, answer.raw)
      assert.deepEqual(canariesIn(answer.raw), [], field)
      if (answer.status >= 400) return { text: textOf(answer, id), isKept: false }
      // An accepted request is used up: the field is only validated for its shape, or ignored.
      own = null
      const stored = `select from observed where name <> 'audit_log' and row::text like $1 limit 1`
      const { rowCount } = await fixture.owner.query(stored, [`%${id}%`])
      await changesSince(fixture.owner)
      return { text: `${answer.status}`, isKept: rowCount === 1 }
    }
    const unknown = await ask(newId())
    // If an unknown id is accepted, no lookup takes place.
    const tried = own ? ids : ids.slice(0, 3)
    for (const [what, id] of tried)
      assert.deepEqual(await ask(id), unknown, `${field} distinguishes ${what} from an unknown id`)
    await assertUnchanged(fixture, `${field} with another person's id`)
  }
}

/** The response without varying parts, and whether a row now contains the id. */
type Compared = { text: string; isKept: boolean }

/** Ids of rows of the same kind first, then a sample of others; all kinds when there is no sampling key. Each id once. */
function idsOfOtherTenant(
  { otherTenant: { ownIds, sharedIds } }: EveryCall,
  kind: string | undefined,
  key: string | null,
): [string, string][] {
  const all = [...ownIds, ...sharedIds]
  const same = all.filter(([name]) => name.replace(/ \(\d+\)$/, '') === kind)
  const picked = [...same, ...(key === null ? all : drawn.pick(key, all, 3))]
  return picked.filter(([, id], at) => picked.findIndex(([, other]) => other === id) === at)
}

/** The response without the parts that vary between calls. */
export function textOf({ status, headers, raw }: Answered, id: string): string {
  const { date: _, 'x-request-id': __, 'set-cookie': ___, ...stored } = headers
  return `${status} ${JSON.stringify(stored)} ${raw}`
    .replaceAll(id, '<id>')
    .replace(/"request_id":"[^"]*"/, '')
    .replace(/nonce(-|=\\?")[A-Za-z0-9+/=]+/g, '')
}

type Row = { id: string; kind: string; memberId: string | null }
const lookups = new WeakMap<EveryCall, string>()

/** The table and the owner of each id. */
async function rowsOf(fixture: EveryCall, ids: readonly string[]): Promise<Row[]> {
  const known = lookups.get(fixture) ?? (await lookupOf(fixture))
  lookups.set(fixture, known)
  const uuids = ids.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  return uuids.length === 0 ? [] : (await fixture.quiet.query<Row>(known, [uuids])).rows
}

async function lookupOf({ quiet }: EveryCall): Promise<string> {
  const isOwn = ({ table, column, type, is_key }: Column) =>
    type === 'uuid' && is_key && column !== 'workspace_id' && (column !== 'member_id' || table === 'members')
  return (await columnsOf(quiet))
    .filter(isOwn)
    .map(
      ({ table, column, owned }) =>
        `select ${column}::text as id, '${table}.${column}' as kind, ${owned ? 'member_id::text' : 'null'} as "memberId"
         from ${table} where ${column} = any($1::uuid[])`,
    )
    .join(' union all ')
}

/** The id in this field of the request. */
function idIn({ places, body }: ValidRequest, field: string): string | undefined {
  const found = places?.[field] ?? field.split('.').reduce<unknown>((held, step) => insideOf(held, step), body)
  const id = Array.isArray(found) ? found[0] : found
  return typeof id === 'string' ? id : undefined
}

const insideOf = (held: unknown, step: string): unknown =>
  Array.isArray(held) ? insideOf(held[0], step) : Object.entries(held ?? {}).find(([name]) => name === step)?.[1]

function withId(request: ValidRequest, field: string, id: string): ValidRequest {
  if (request.places && field in request.places) return { ...request, places: { ...request.places, [field]: id } }
  return { ...request, body: put(request.body ?? {}, field.split('.'), id) as object }
}

function put(held: unknown, [step, ...rest]: string[], id: string): unknown {
  if (Array.isArray(held)) return [put(held[0], [step ?? '', ...rest].filter(Boolean), id), ...held.slice(1)]
  if (!step) return id
  const inner = insideOf(held, step)
  return { ...(held as object), [step]: rest.length === 0 && !Array.isArray(inner) ? id : put(inner ?? {}, rest, id) }
}

/** Checks that an outsider reads no canary of the other tenant by a call that takes no id. */
export async function tryCanaries({ app, outsiders }: EveryCall, route: CallRoute): Promise<void> {
  for (const { kind, name, host, token } of outsiders) {
    const request = { actorId: null, ...(token && { token }), places: {}, body: {} }
    const answer = await sendValidRequest(callerOf(app, host), route, request)
    assert.deepEqual(canariesIn(answer.raw), [], `${name} read ${answer.raw}`)
    assert.ok(answer.status < 500, answer.raw)
    if (route.call.access !== 'anyone' && route.call.access !== kind)
      assert.equal(answer.status, 401, `${name}: ${answer.raw}`)
  }
}

/** Every row of the other tenant's member, and the rows of others that reference one of them. */
export async function stateOfOtherTenant({ owner, otherTenant }: EveryCall) {
  return { rows: await pictureOf(owner, otherTenant), named: await rowsNaming(owner, otherTenant) }
}
