// spec: OP operation
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { migrate, migrationFiles } from '../../server/foundation/database/migrate.ts'
import { queueTablesVersion } from '../../server/queue/queue-tables.ts'
import { narrowings, readCatalogue } from '../catalogue/catalogue.ts'
import { fillEveryTable } from '../catalogue/every-table.ts'
import { type ChildServer, eventually, startChildServer } from '../doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../fixtures/context.ts'
import { withDatabase } from '../fixtures/database/fresh-database.ts'
import { startSteadyCallers } from '../fixtures/steady-callers.ts'
import { addMember, addWorkspace, openTestSession } from '../fixtures/workspaces.ts'
import { acceptedSchemaChanges, acceptedTriggers, lastMigrationBefore, queueTablesBefore } from './version-before.ts'

const filesBefore = migrationFiles().filter((name) => name <= lastMigrationBefore)
const tablesOf = async (client: pg.Client): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
  ).rows.map(({ name }) => name)

describe('a database of the previous version', () => {
  let made: MadeContext
  let now: pg.Client
  let old: pg.Client
  const name = `atrium_older_${randomBytes(6).toString('hex')}`
  before(async () => {
    made = await makeTestContext()
    now = await connect(made.ownerUrl)
    await now.query(`create database ${name}`)
    const oldUrl = withDatabase(made.ownerUrl, name)
    await migrate(oldUrl, { only: filesBefore })
    old = await connect(oldUrl)
  })
  after(async () => {
    await old.end()
    await now.query(`drop database ${name} with (force)`)
    await now.end()
    await made.close()
  })

  test('exists and is older than this one', () => {
    assert.ok(migrationFiles().includes(lastMigrationBefore))
  })

  test("has the same version of the job queue's tables", () => {
    assert.equal(
      queueTablesVersion,
      queueTablesBefore,
      'docs/operators/upgrading.md lists what to check before this is changed',
    )
  })

  test('has all that its program needs in the new schema too', async () => {
    const found = narrowings(await readCatalogue(old), await readCatalogue(now))
    const isAccepted = (each: string): boolean =>
      [...acceptedSchemaChanges, ...acceptedTriggers].some((accepted) => each.startsWith(accepted))
    assert.deepEqual(
      found.filter((each) => !isAccepted(each)),
      [],
    )
    assert.equal(
      found.filter(isAccepted).length,
      2 * acceptedSchemaChanges.length + acceptedTriggers.length,
      'each policy is gone in one form and new in another, each trigger is new',
    )
  })

  for (const [breaks, found] of [
    ['alter table members drop column last_name cascade', 'column is gone: members.last_name'],
    ['alter table members rename column last_name to family_name', 'column is gone: members.last_name'],
    ['alter table forms rename to questionnaires', 'table is gone: forms'],
    ['alter table tickets alter column subject type varchar(5)', 'column has another type: tickets.subject'],
    ['alter table members add column shoe_size int not null', 'column has to be given: members.shoe_size'],
    ['alter table members alter column title set not null', 'column may not be empty any more: members.title'],
    ['alter table members add constraint short check (length(first_name) < 5)', 'rows are refused by: members, CHECK'],
    [
      "alter table account_differences drop constraint account_differences_kind_check, add check (kind in ('gone', 'fields'))",
      'rows are refused by: account_differences, CHECK',
    ],
    [
      'alter table account_differences drop constraint account_differences_reason_check, add check (length(reason) between 3 and 200)',
      'rows are refused by: account_differences, CHECK',
    ],
    ['create unique index on members (workspace_id, last_name)', 'rows are refused by: members, CREATE UNIQUE INDEX'],
    ['drop function list_workspace_ids()', 'function is gone: list_workspace_ids'],
    [
      'revoke select (last_name) on members from atrium_program; revoke select on members from atrium_program',
      'right is gone: atrium_program SELECT members',
    ],
    ['drop policy own on members', 'row security differs: members, own'],
    [
      'create policy fewer on members as restrictive using (title is null)',
      'row security differs: members, fewer RESTRICTIVE',
    ],
  ] as const)
    test(`would report: ${breaks}`, async () => {
      const catalogue = await readCatalogue(old)
      await now.query('begin')
      try {
        await now.query(breaks)
        const reported = narrowings(catalogue, await readCatalogue(now))
        assert.ok(
          reported.some((each) => each.startsWith(found)),
          reported.join('\n') || 'nothing was found',
        )
      } finally {
        await now.query('rollback')
      }
    })

  test('keeps every row when migrated', async () => {
    await fillEveryTable(made.context, 'harbour')
    const tables = await tablesOf(old)
    await old.query(`set session_replication_role = 'replica'`)
    for (const table of tables) await copyRows(table)
    await old.query(`set session_replication_role = 'origin'`)
    const counts = async () => {
      const found: [string, number][] = []
      for (const table of tables) found.push([table, await countRows(old, table)])
      return found
    }
    const filled = await counts()
    assert.ok(filled.filter(([, count]) => count > 0).length > tables.length * 0.9)
    const { applied } = await migrate(withDatabase(made.ownerUrl, name))
    assert.deepEqual(
      applied,
      migrationFiles().filter((file) => file > lastMigrationBefore),
    )
    assert.deepEqual(await counts(), filled)
    assert.deepEqual(narrowings(await readCatalogue(now), await readCatalogue(old)), [])
  })

  /** Copies the columns that exist there; generated columns are computed again. */
  async function copyRows(table: string): Promise<void> {
    const columns = await old.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const named = columns.rows.map((column) => column.name).join(', ')
    const rows = await now.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`)
    for (const { row } of rows.rows)
      await old.query(
        `insert into ${table} (${named}) overriding system value select ${named} from jsonb_populate_record(null::${table}, $1::jsonb)
         on conflict do nothing`, // Rows that the old schema cannot hold are skipped.
        [row],
      )
  }
})

describe('processes of this version beside one of the next, which has already migrated the database', () => {
  let made: MadeContext
  let servers: ChildServer[]
  before(async () => {
    made = await makeTestContext({ startAt: new Date() })
    servers = []
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await made.close()
  })

  const start = async (): Promise<ChildServer> => {
    const server = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: made.folder })
    servers.push(server)
    return server
  }

  test('keep answering during and after the migration, can restart, and write into every table', async () => {
    const system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
    const running = await start()
    const callers = []
    for (let index = 0; index < 6; index += 1) {
      const { memberId } = await addMember(system)
      const { token } = await openTestSession(system, { kind: 'member', id: memberId })
      callers.push({ url: running.url, token })
    }
    const owner = await connect(made.ownerUrl)
    const steady = startSteadyCallers(callers)
    try {
      const answered = (since: number) => async () => steady.answers.length > since + callers.length * 4
      await eventually('every call is answered before', answered(0))
      for (const table of await tablesOf(owner)) {
        await owner.query(`set lock_timeout = '5s'`)
        await owner.query(`alter table ${table} add column of_the_next_version text default 'later'`)
      }
      await owner.query(
        `insert into atrium_meta.migrations (name, sha256) values ('20991231-2359-next.sql', 'unknown')`,
      )
      await owner.query('create table of_the_next_version (workspace_id uuid not null, what text)')
      await eventually('every call is answered after', answered(steady.answers.length))
      const { url } = await start()
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
    } finally {
      await steady.stop()
      await owner.end()
    }
    assert.deepEqual([...new Set(steady.answers.map(({ status, code }) => `${status} ${code}`))], ['200 undefined'])
    await fillEveryTable(made.context, 'second')
  })
})

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  return (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? 0
}
