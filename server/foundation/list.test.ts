import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choice, declareList } from '@atrium/contract/list.ts'
import { sql } from 'kysely'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from './actor.ts'
import { inTransaction, reading, type Tx } from './database/database.ts'
import { refuseNotFound } from './errors.ts'
import { condition, countUpTo, type Definition, defineList } from './list.ts'

let made: MadeContext
let system: System
let staff: Staff

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
  staff = staffActor(system, await addStaff(system))
  for (const _ of [1, 2, 3, 4, 5]) await addMember(system)
})
after(() => made.close())

const declared = declareList({ name: 'people', isNumbered: true, filters: {} })
const selectPeople = (tx: Tx) => tx.selectFrom('members').select('member_id as _id')
type Person = { _id: string }
type Numbers = { total: number; total_is_least: boolean }

const people: Definition<typeof declared, object, Person, Person, Numbers> = {
  list: declared,
  right: 'members.read',
  table: 'members',
  id: 'members.member_id',
  select: selectPeople,
  filters: {},
  sort: () => ({ direction: 'asc', isById: true }),
  shape: (row) => row,
  isCounted: false,
  columns: [['Id', ({ _id }) => _id]],
}

test('every numbered page is reachable when the count stops early', async () => {
  const list = defineList({ ...people, beside: async () => ({ total: 2, total_is_least: true }) })
  const totals: number[] = []
  const found: string[] = []
  for (let page = 1; found.length < (totals.at(-1) ?? 1); page += 1) {
    const answer = await list.read(staff, { page, limit: 2 })
    found.push(...answer.people.map(({ _id }) => _id))
    totals.push(answer.total)
  }
  assert.deepEqual(totals, [3, 5, 5])
  assert.equal(new Set(found).size, 5)
})

test('a page past the last row says how many there are, so that the reader returns to the page before', async () => {
  const totalOf = async (page: number, isLeast: boolean) => {
    const list = defineList({ ...people, beside: async () => ({ total: 2, total_is_least: isLeast }) })
    return (await list.read(staff, { page, limit: 2 })).total
  }
  assert.equal(await totalOf(4, true), 5)
  assert.equal(await totalOf(40_000, true), 5)
  assert.equal(await totalOf(4, false), 2)
})

test('an export prepares once, and refuses before its audit entry', async () => {
  let isThere = true
  let prepared = 0
  const prepare = async () => {
    prepared += 1
    if (!isThere) refuseNotFound()
  }
  const list = defineList({ ...people, prepare })
  const { lines } = await list.table(staff, {})
  let table = ''
  for await (const part of lines) table += part
  assert.equal(table.trim().split('\r\n').length, 6)
  assert.equal(prepared, 1)
  isThere = false
  await assert.rejects(list.table(staff, {}), { code: 'not_found' })
  const { audited } = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(({ fn }) => fn.countAll<string>().as('audited'))
      .where('action', '=', 'people.exported')
      .executeTakeFirstOrThrow(),
  )
  assert.equal(Number(audited), 1)
})

test('an export of selected rows has each of them, also one that a colleague has moved out of the filter', async () => {
  const { people: shown } = await defineList(people).read(staff, { limit: 2 })
  const list = defineList({
    list: declareList({ name: 'people', filters: { status: choice(['active', 'locked']) } }),
    right: 'members.read',
    table: 'members',
    id: 'members.member_id',
    select: selectPeople,
    filters: { status: (status) => condition`members.status = ${status}` },
    sort: () => ({ direction: 'asc', isById: true }),
    shape: (row: Person) => row,
    columns: [['Id', ({ _id }) => _id]],
  })
  const ids = shown.map(({ _id }) => _id)
  const { lines } = await list.table(staff, { status: 'locked', ids })
  let table = ''
  for await (const part of lines) table += part
  assert.equal(table.trim(), `Id\r\n${ids.join('\r\n')}`)
  const { after } = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'people.exported')
      .orderBy('audit_id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  assert.deepEqual(after, { selected: 2 })
})

test('a page and its count are of one moment', async () => {
  const owner = await made.openOwner()
  await owner.query('select pg_advisory_lock(7)')
  const list = defineList({
    ...people,
    prepare: async ({ tx }) => sql`select`.execute(tx),
    /** Waits between the page and its count. */
    async beside({ tx, filter, met }) {
      const lock = sql`select pg_advisory_xact_lock(7)`.execute(tx)
      const [total] = await Promise.all([countUpTo(tx, 'members', await met(filter)), lock])
      return { total, total_is_least: false }
    },
  })
  const read = list.read(staff, { limit: 10 })
  await untilWaiting(owner, 1)
  await addMember(system)
  await owner.query('select pg_advisory_unlock(7)')
  const { people: found, total } = await read
  assert.equal(total, found.length)
  const isolation = sql<{ level: string }>`select current_setting('transaction_isolation') as level`
  for (const unit of [inTransaction, reading]) {
    const { rows } = await unit(system, (tx) => isolation.execute(tx))
    assert.deepEqual(rows, [{ level: 'read committed' }], 'it ends with the batch')
  }
})
