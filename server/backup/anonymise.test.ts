// spec: OP backups
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { makeTestContext } from '../../tests/fixtures/context.ts'
import { type FreshDatabase, freshDatabase, withDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { verifyAudit } from '../audit-log/verify.ts'
import { systemActor } from '../foundation/actor.ts'
import { addProgramRole, programLogin } from '../foundation/database/program-login.ts'
import { findViolations } from '../funding/ledger.ts'
import { lockMember } from '../members/lock.ts'
import { anonymiseCopy } from './anonymise.ts'
import { copyTables, type InCopy } from './copy-tables.ts'
import { leftOut, quoted } from './tables.ts'

let original: FreshDatabase
let copy: Awaited<ReturnType<typeof copyOf>>
let found: Column[]
before(async () => {
  // A pool would stay connected, and a database with connections cannot be copied.
  original = await freshDatabase({ isDirect: true })
  const made = await makeTestContext({ database: { ...original, drop: async () => undefined } })
  await fillEveryTable(made.context, 'harbour')
  const north = await addWorkspace(made.context, { subdomain: 'north' })
  await lockMember(staffActor(north, await addStaff(north)), (await addMember(north)).memberId, 'For the tests')
  await made.close()
  copy = await copyOf(original.ownerUrl)
  found = await listColumns(copy.client)
})
after(async () => {
  await copy.drop()
  await original.drop()
})

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return client
}

/** A second database with a name ending in _copy, as a developer makes one to investigate a problem. */
async function copyOf(databaseUrl: string) {
  const name = `${new URL(databaseUrl).pathname.slice(1)}_copy`
  const server = await connect(withDatabase(databaseUrl, 'postgres'))
  await server.query(`create database ${name} template ${new URL(databaseUrl).pathname.slice(1)} strategy file_copy`)
  const url = withDatabase(databaseUrl, name)
  const client = await connect(url)
  return {
    name,
    url,
    client,
    async drop() {
      await copy.client.end()
      await server.query(`drop database ${name} with (force)`)
      await server.query(`drop role if exists ${programLogin(name)}`)
      await server.end()
    },
  }
}

type Column = { table: string; column: string; type: string }

/** Columns of text, bytes, text arrays, JSON and addresses; generated columns follow from these. */
async function listColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as column, t.typname as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and not (t.typname = any ('{uuid,_uuid,int2,int4,int8,numeric,bool,timestamptz,date,xid8}'))
     order by 1, 2`,
  )
  return rows
}

const wordsOf = (text = ''): string[] => text.split(' ').filter(Boolean)
const keptBy = (inCopy: InCopy | undefined): string[] =>
  inCopy?.do === 'keep' ? [inCopy.words, inCopy.marks, inCopy.house].flatMap(wordsOf) : []
const changedBy = (inCopy: InCopy | undefined): string[] =>
  inCopy?.do === 'keep' ? Object.keys(inCopy.changed ?? {}) : []

test('every column that can hold text has exactly one rule for copies', async () => {
  const { rows } = await copy.client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const due = rows.map(({ name }) => name).filter((name) => !leftOut.includes(name))
  assert.deepEqual(Object.keys(copyTables).sort(), due.sort())
  for (const [table, inCopy] of Object.entries(copyTables)) {
    const columns = found.filter((each) => each.table === table).map(({ column }) => column)
    const decided = [...keptBy(inCopy), ...changedBy(inCopy)]
    assert.equal(new Set(decided).size, decided.length, `${table} has two rules for a column`)
    if (inCopy.do === 'remove') continue
    const undecided = columns.filter((column) => !decided.includes(column))
    assert.deepEqual(undecided, [], `${table}: add rules for these columns to copy-tables.ts`)
    const unknown = keptBy(inCopy).filter((column) => !columns.includes(column))
    assert.deepEqual(unknown, [], `${table} has no such columns`)
  }
})

test('refuses a database not named as a copy, not the one named, in use, or of another version', async () => {
  const before = await everyRow(copy.client)
  await assert.rejects(
    anonymiseCopy(original.ownerUrl, new URL(original.ownerUrl).pathname.slice(1)),
    /must end in _copy/,
  )
  await assert.rejects(anonymiseCopy(original.ownerUrl, copy.name), /is the address of/)
  await assert.rejects(anonymiseCopy(copy.url, copy.name), /Another program is connected/)
  assert.equal(await everyRow(copy.client), before)
})

test('leaves no value of a changed or removed column in any file, and the ledger unchanged', async () => {
  const { name, url } = copy
  const secrets = await valuesOf(copy.client, isTaken)
  const harmless = new Set(await valuesOf(copy.client, (each) => !isTaken(each)))
  const sums = await ledgerOf(copy.client)
  await copy.client.end()
  const counts = await anonymiseCopy(url, name)
  assert.ok(counts.rows_removed > 20 && counts.rows_changed > 50, JSON.stringify(counts))
  copy.client = await connect(url)

  const left = await everyRow(copy.client)
  const taken = secrets.filter((value) => value.length > 4 && !harmless.has(value) && !saysNothing.test(value))
  assert.ok(taken.length > 100, `only ${taken.length} values to look for`)
  assert.deepEqual(
    taken.filter((value) => left.includes(value)),
    [],
  )
  assert.deepEqual(await ledgerOf(copy.client), sums)
  await assertSound(url)
})

test('anonymising is idempotent', async () => {
  const { name, url } = copy
  const once = await everyRow(copy.client)
  await copy.client.end()
  await anonymiseCopy(url, name)
  copy.client = await connect(url)
  assert.equal(await everyRow(copy.client), once)
})

/** Ids, times, numbers and fixed terms, which also occur in columns that stay unchanged. */
const saysNothing = /^([0-9a-f]{8}-[0-9a-f-]{27}|[a-z_.]+|[\d.]+|\d{4}-\d\d-\d\dT[\d:.+]+)$/

/** The audit chain is rebuilt, and its hash is the same where an entry had nothing to remove. */
const isTaken = ({ table, column }: Column): boolean =>
  table !== 'audit_links' &&
  (leftOut.includes(table) || copyTables[table]?.do === 'remove' || changedBy(copyTables[table]).includes(column))

/** Values as text; for JSON and arrays, each text in them. */
async function valuesOf(client: pg.Client, isMeant: (column: Column) => boolean): Promise<string[]> {
  const values = new Set<string>()
  for (const each of found.filter(isMeant)) {
    const { rows } = await unscoped<{ value: unknown }>(
      client,
      `select to_jsonb(${quoted(each.column)}) as value from ${quoted(each.table)} where ${quoted(each.column)} is not null`,
      each.table,
    )
    for (const { value } of rows) for (const text of textsIn(value)) values.add(text)
  }
  return [...values]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

/** Reads without row security, which applies to the owner too. */
async function unscoped<Row extends pg.QueryResultRow>(client: pg.Client, text: string, table: string) {
  await client.query('begin')
  try {
    await client.query(`alter table ${quoted(table)} no force row level security`)
    return await client.query<Row>(text)
  } finally {
    await client.query('rollback')
  }
}

async function everyRow(client: pg.Client): Promise<string> {
  const lines: string[] = []
  for (const table of new Set([...Object.keys(copyTables), ...leftOut])) {
    const text = `select to_jsonb(each)::text as line from ${quoted(table)} each order by 1`
    for (const { line } of (await unscoped<{ line: string }>(client, text, table)).rows) lines.push(`${table} ${line}`)
  }
  const { rows } = await client.query<{ line: string }>(
    'select data::text as line from pgboss.job where data is not null',
  )
  return [...lines, ...rows.map(({ line }) => `job ${line}`)].join('\n')
}

async function ledgerOf(client: pg.Client): Promise<unknown> {
  const text = `select type, state, currency, member_id, account_id, sum(amount) as amount, sum(fee) as fee, count(*) as count
    from balance_transactions group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`
  return (await unscoped(client, text, 'balance_transactions')).rows
}

/** Checks that the program runs on the copy, finds people by their new names, and accepts the audit chain. */
async function assertSound(ownerUrl: string): Promise<void> {
  const { client } = copy
  await client.end()
  const programUrl = await addProgramRole(ownerUrl)
  const there = await makeTestContext({ database: { ownerUrl, programUrl, drop: async () => undefined } })
  try {
    const { rows } = await there.context.database.pool.query<{ id: string }>('select list_workspace_ids() as id')
    for (const { id } of rows) {
      const system = systemActor(there.context, id)
      const { entries, findings } = await verifyAudit(system)
      assert.ok(entries > 0)
      assert.deepEqual(findings, [])
      await findViolations(system)
    }
  } finally {
    await there.close()
  }
  copy.client = await connect(ownerUrl)
}
