import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditList } from '@atrium/contract/audit-log/desk-list.ts'
import { submissionsList } from '@atrium/contract/forms/submissions-list.ts'
import type { ListDeclaration, ListFilter } from '@atrium/contract/list.ts'
import { membersList } from '@atrium/contract/members/desk-list.ts'
import { acceptancesList } from '@atrium/contract/terms/acceptances-list.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { fillEveryTable } from '../tests/catalogue/every-table.ts'
import { contractCalls } from '../tests/every-call/contract-calls.ts'
import { openWithRoutes } from '../tests/every-call/routes.ts'
import { type Caller, callerOf } from '../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { addTicket } from '../tests/fixtures/tickets.ts'
import { addMember, addStaff, addWorkspace, memberActor, openTestSession } from '../tests/fixtures/workspaces.ts'
import { noteDifference } from './accounts/differences.ts'
import { type System, systemActor } from './foundation/actor.ts'
import { inTransaction, type Tx } from './foundation/database/database.ts'
import { newId } from './foundation/ids.ts'

/** A signed-in staff member on the host of their brokerage. */
type Desk = { get: (path: string) => ReturnType<Caller['get']> }

let made: MadeContext
let app: FastifyInstance
/** The lists of all calls, except the submissions: their table is a different one, with its own test. */
let lists: readonly ListDeclaration[]
let system: System
let own: Desk
let foreign: Desk

before(async () => {
  made = await makeTestContext()
  const { workspaceId, memberId } = await fillEveryTable(made.context, 'harbour')
  system = systemActor(made.context, workspaceId)
  await addOpenWork(memberId)
  const { app: opened, routes } = await openWithRoutes(made.context)
  app = opened
  const declared = routes.flatMap(({ call }) => call?.pageOf ?? []).filter((list) => list !== submissionsList)
  lists = [...new Set(declared)]
  own = await deskOf(system, 'harbour')
  foreign = await deskOf(await addWorkspace(made.context, { subdomain: 'other' }), 'other')
})
after(async () => {
  await app.close()
  await made.close()
})

/** Adds rows to the lists for which the catalogue has too few to page through. */
async function addOpenWork(memberId: string): Promise<void> {
  const member = await memberActor(system, memberId)
  for (const subject of ['First', 'Second', 'Third']) await addTicket(member, { subject })
  const { memberId: other } = await addMember(system)
  await inTransaction(system, async (tx) => {
    const { platform_id } = await tx
      .selectFrom('trading_platforms')
      .select('platform_id')
      .where('workspace_id', '=', system.workspaceId)
      .executeTakeFirstOrThrow()
    const unknown = { kind: 'unknown_owner', accountId: null, reason: 'no_member', at: null } as const
    for (const login of ['1', '2']) await noteDifference(tx, system, platform_id, { ...unknown, login })
    const { template_id } = await tx
      .selectFrom('terms_acceptances')
      .select('template_id')
      .where('workspace_id', '=', system.workspaceId)
      .executeTakeFirstOrThrow()
    within.set(acceptancesList, `terms/${template_id}/`)
    await copyOne(tx, 'terms_acceptances', { member_id: other })
    await copyOne(tx, 'payment_cases', { case_id: newId(), payment: 'another' })
    await copyOne(tx, 'payment_notifications', { notification_id: newId(), content_id: '\\x01' })
    await tx
      .updateTable('mails')
      .set({ state: 'failed', settled_at: made.context.clock.now() })
      .where('workspace_id', '=', system.workspaceId)
      .where('has_link', '=', false)
      .where('state', '<>', 'sending')
      .execute()
  })
}

/** Inserts a copy of an existing row with the given changes. */
async function copyOne(tx: Tx, table: string, change: object): Promise<void> {
  const row = sql`jsonb_populate_record(stored, ${JSON.stringify(change)}::jsonb)`
  await sql`insert into ${sql.table(table)} select (${row}).* from ${sql.table(table)} as stored
    where workspace_id = ${system.workspaceId}::uuid limit 1`.execute(tx)
}

async function deskOf(of: System, subdomain: string): Promise<Desk> {
  const { staffId } = await addStaff(of, { role: 'administrator' })
  const { token } = await openTestSession(of, { kind: 'staff', id: staffId })
  const caller = callerOf(app, `${subdomain}.localhost`)
  return { get: (path) => caller.get(path, token) }
}

type Page = { ids: string[]; next: string | null; previous: string | null; total: number | undefined }

/** Path prefixes of lists that belong to one resource. */
const within = new Map<ListDeclaration, string>()
const pathOf = (list: ListDeclaration, asked: Record<string, string>, end = '') =>
  `/desk/api/${within.get(list) ?? ''}${list.name}${end}?${new URLSearchParams(asked)}`

async function read(list: ListDeclaration, asked: Record<string, string> = {}, desk = own): Promise<Page> {
  const { status, body, raw } = await desk.get(pathOf(list, { limit: '100', ...asked }))
  assert.equal(status, 200, raw)
  const rows = body[list.rows ?? list.name] as { _id: string }[]
  const { next = null, previous = null, total } = body as Partial<Page>
  return { ids: rows.map(({ _id }) => _id), next, previous, total }
}

/** A filter value that matches no row. */
function nothingOf(filter: ListFilter): string | null {
  if (filter.kind === 'search') return 'qqzzxx'
  if (filter.kind === 'id') return newId()
  if (filter.kind === 'text') return ['zz', '99999', newId()].find((text) => filter.pattern.test(text)) ?? null
  return null
}

const usualOf = ({ filters }: ListDeclaration) =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, filter]) =>
      filter.kind === 'choice' && filter.usual !== undefined ? [[name, filter.usual]] : [],
    ),
  )

/** Each sort order of the list. */
const ordersOf = ({ filters }: ListDeclaration): Record<string, string>[] => {
  const orders = Object.entries(filters).flatMap(([name, filter]) =>
    filter.kind === 'choice' && filter.isOrder ? filter.values.map((value) => ({ [name]: value })) : [],
  )
  return orders.length > 0 ? orders : [{}]
}

async function turnPages(list: ListDeclaration, asked: Record<string, string>): Promise<void> {
  const { ids: whole, total } = await read(list, asked)
  assert.ok(whole.length > 1, `rows to turn pages of: ${whole.length}`)
  if (total !== undefined) assert.equal(total, whole.length)
  if (list.isNumbered) {
    const pages = await Promise.all(
      [...whole, ''].map((_, at) => read(list, { ...asked, limit: '1', page: `${at + 1}` })),
    )
    assert.deepEqual(
      pages.map(({ ids }) => ids),
      [...whole.map((id) => [id]), []],
    )
    return
  }
  const [next, previous] = list.isMarkedByTime ? (['before', 'after'] as const) : (['after', 'before'] as const)
  const walked: Page[] = [await read(list, { ...asked, limit: '1' })]
  for (let page = walked[0]; page?.next; page = walked.at(-1))
    walked.push(await read(list, { ...asked, limit: '1', [next]: page.next }))
  assert.deepEqual(
    walked.flatMap(({ ids }) => ids),
    whole,
  )
  assert.deepEqual([walked[0]?.previous, walked.at(-1)?.next], [null, null])
  const back = await read(list, { ...asked, limit: '1', [previous]: String(walked.at(-1)?.previous) })
  assert.deepEqual(back.ids, walked.at(-2)?.ids)
}

/** One test of each list. */
const eachList = (what: string, tryList: (list: ListDeclaration) => Promise<void>) =>
  test(what, async (t) => {
    for (const list of lists) await t.test(list.name, () => tryList(list))
  })

test('the lists of the desk are all that the contract declares', async () => {
  const declared = (await contractCalls())
    .flatMap(({ pageOf }) => pageOf ?? [])
    .filter((list) => list !== submissionsList)
  assert.deepEqual(new Set(lists.map(({ name }) => name)), new Set(declared.map(({ name }) => name)))
})

describe('each list of the desk', () => {
  eachList('has pages that hold each row once, forwards and backwards', async (list) => {
    for (const asked of ordersOf(list)) await turnPages(list, asked)
  })

  eachList('applies each of its filters', async (list) => {
    const { ids: whole } = await read(list)
    for (const [name, filter] of Object.entries(list.filters)) {
      const nothing = nothingOf(filter)
      if (nothing) assert.deepEqual((await read(list, { [name]: nothing })).ids, [], name)
      if (filter.kind === 'search') assert.deepEqual((await read(list, { [name]: ' ' })).ids, whole, name)
      if (filter.kind === 'day') {
        for (const [early, late] of [
          ['1999-01-01', '2199-01-01'],
          ['0001-01-01', '9999-12-31'],
        ] as const) {
          const found = [
            (await read(list, { [name]: early })).ids.length,
            (await read(list, { [name]: late })).ids.length,
          ]
          assert.deepEqual(
            found.sort((left, right) => left - right),
            [0, whole.length],
            name,
          )
        }
        assert.equal((await own.get(pathOf(list, { [name]: '0000-01-01' }))).status, 422, name)
      }
      if (filter.kind !== 'choice') continue
      const found = await Promise.all(filter.values.map((value) => read(list, { [name]: value })))
      if (filter.isOrder) for (const { ids } of found) assert.deepEqual(ids.toSorted(), whole.toSorted(), name)
      else assert.ok(found.some(({ ids }) => ids.length < whole.length) || filter.usual, name)
      if (filter.usual === undefined)
        for (const { ids } of found)
          assert.ok(
            ids.every((id) => whole.includes(id)),
            name,
          )
    }
  })

  eachList('exports the same rows as a table, all of them or the selected ones', async (list) => {
    const { ids } = await read(list)
    const lines = async (asked: Record<string, string>) =>
      (await own.get(pathOf(list, asked, '/table'))).raw.trim().split('\r\n').length - 1
    // Each export adds an entry to the audit log.
    const added = list === auditList ? 1 : 0
    assert.equal(await lines(usualOf(list)), ids.length + added)
    // Acceptances have no id of their own.
    if (list !== acceptancesList) assert.equal(await lines({ ...usualOf(list), ids: ids.slice(0, 2).join(',') }), 2)
    assert.equal((await own.get(pathOf(list, { ids: 'x' }, '/table'))).status, 422)
  })

  eachList('exports moments as spreadsheets read them', async (list) => {
    // Evidence keeps its milliseconds.
    if (list === auditList || list === acceptancesList) return
    const { raw } = await own.get(pathOf(list, usualOf(list), '/table'))
    assert.doesNotMatch(raw, /\d-\d\dT\d\d:/)
    assert.equal(/\d-\d\d \d\d:\d\d:\d\d/.test(raw), /\(UTC\)/.test(raw))
  })

  eachList('exports only after a fresh proof of identity', async (list) => {
    made.context.clock.advance(15 * 60_000 + 1)
    const { status, body } = await own.get(pathOf(list, {}, '/table'))
    await read(list)
    made.context.clock.advance(-15 * 60_000 - 1)
    assert.deepEqual([status, body.code], [403, 'proof_required'])
  })

  eachList('refuses an unknown page, and shows another brokerage no rows', async (list) => {
    const marks = ['bm9wZQ', Buffer.from('["x","y"]').toString('base64url')]
    for (const asked of list.isNumbered ? [{ page: '0' }, { page: 'x' }] : marks.map((after) => ({ after })))
      assert.equal((await own.get(pathOf(list, asked))).status, 422)
    if (within.has(list)) {
      for (const end of ['', '/table']) assert.equal((await foreign.get(pathOf(list, {}, end))).status, 404)
      return
    }
    const { ids } = await read(list)
    const theirs = await read(list, {}, foreign)
    assert.ok(theirs.ids.every((id) => !ids.includes(id)))
    const elsewhere = await foreign.get(pathOf(list, { ...usualOf(list), ids: ids.join(',') }, '/table'))
    assert.equal(elsewhere.raw.trim().split('\r\n').length, 1)
  })
})

test('the next page stays the same while rows are added before it', async () => {
  const { ids: whole } = await read(membersList)
  const first = await read(membersList, { limit: '1' })
  await addMember(system)
  const second = await read(membersList, { limit: '1', after: String(first.next) })
  assert.deepEqual([first.ids, second.ids], [whole.slice(0, 1), whole.slice(1, 2)])
})
