import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { installJobs } from './jobs.ts'

const folder = new URL('../migrations/', import.meta.url)

/** One number for everybody who migrates a database at the same time: the second waits, then finds nothing to do. */
const migrationLock = 5_318_008

/** `directDatabaseUrl`: the database itself, where the owner's address is that of a pool in front of it. */
type Ways = {
  programDatabaseUrl?: string | null
  directDatabaseUrl?: string | null
  /** No more than these, for a database that is filled as it was with them before it goes on. */
  only?: readonly string[]
}
type Migrated = { applied: string[]; programUrl: string }

/**
 * Brings the database to this version and answers the address of the role that the program runs as: a role that owns
 * nothing and cannot pass by row security. Safe to run by several processes at once.
 */
export async function migrate(
  ownerUrl: string,
  { programDatabaseUrl, directDatabaseUrl, only }: Ways = {},
): Promise<Migrated> {
  const directUrl = directDatabaseUrl ?? ownerUrl
  const client = new pg.Client({ connectionString: directUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const programUrl = await ensureProgramRole(client, ownerUrl, programDatabaseUrl ?? null)
    const applied = await applyFiles(client, only)
    await installJobs(directUrl)
    await grantJobs(client)
    return { applied, programUrl }
  } finally {
    await client.end()
  }
}

/** Makes the program's login role for a database that is already migrated (a copy of one), and answers its address. */
export async function addProgramRole(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await ensureProgramRole(client, ownerUrl, null)
  } finally {
    await client.end()
  }
}

/** The group role `atrium_program` carries the rights; a login role of this database's own is its member. */
async function ensureProgramRole(client: pg.Client, ownerUrl: string, given: string | null): Promise<string> {
  await createRoleOnce(client, 'atrium_program', 'nologin nosuperuser nobypassrls nocreatedb nocreaterole')
  const database = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
  const program = given ? new URL(given) : derivedProgramUrl(ownerUrl, database)
  const role = decodeURIComponent(program.username)
  if (!given) {
    const password = client.escapeLiteral(decodeURIComponent(program.password))
    await createRoleOnce(client, role, 'login nosuperuser nobypassrls nocreatedb nocreaterole inherit')
    await client.query(`alter role ${client.escapeIdentifier(role)} password ${password}`)
  }
  await joinProgram(client, role)
  await client.query(`grant connect on database ${client.escapeIdentifier(database)} to atrium_program`)
  await client.query('grant usage on schema public to atrium_program')
  return program.toString()
}

/**
 * Roles belong to the whole server, which several databases share: another migration may make the same one meanwhile. Looked
 * for first, because an owner who may make no roles can still use those that somebody else made for it.
 */
async function createRoleOnce(client: pg.Client, role: string, attributes: string): Promise<void> {
  const found = await client.query('select from pg_roles where rolname = $1', [role])
  if (found.rowCount !== 0) return
  await client.query(`do $$ begin create role ${client.escapeIdentifier(role)} ${attributes};
    exception when duplicate_object or unique_violation then null; end $$`)
}

/** Nothing is granted twice: on a server of several owners only one of them may give the group away. */
async function joinProgram(client: pg.Client, role: string): Promise<void> {
  const member = await client.query<{ is_member: boolean }>(
    `select pg_has_role($1, 'atrium_program', 'usage') as is_member`,
    [role],
  )
  if (member.rows[0]?.is_member) return
  try {
    await client.query(`grant atrium_program to ${client.escapeIdentifier(role)}`)
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || cause.code !== '42501') throw cause
    const hint = `As an administrator of the server: grant atrium_program to ${client.escapeIdentifier(role)}`
    throw new Error(`The owner of this database may not give the role atrium_program away. ${hint}`, { cause })
  }
}

/** The login role of a database. Roles are the whole server's, so its name holds the database's. */
export function programLogin(database: string): string {
  return `atrium_login_${database}`.slice(0, 60)
}

/** Every process with the same owner address derives the same program role and password, so none has to be handed out. */
function derivedProgramUrl(ownerUrl: string, database: string): URL {
  const url = new URL(ownerUrl)
  const secret = createHash('sha256').update(`atrium program role\n${url.password}\n${database}`).digest('base64url')
  url.username = encodeURIComponent(programLogin(database))
  url.password = secret
  return url
}

async function applyFiles(client: pg.Client, only?: readonly string[]): Promise<string[]> {
  await client.query(`create schema if not exists atrium_meta`)
  await client.query(`create table if not exists atrium_meta.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const done = await client.query<{ name: string; sha256: string }>('select name, sha256 from atrium_meta.migrations')
  const known = new Map(done.rows.map((row) => [row.name, row.sha256]))
  const applied: string[] = []
  for (const name of migrationFiles().filter((file) => !only || only.includes(file))) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const earlier = known.get(name)
    if (earlier === sha256) continue
    if (earlier !== undefined) throw new Error(`Migration ${name} was edited after it was applied.`)
    await applyFile(client, name, text, sha256)
    applied.push(name)
  }
  return applied
}

async function applyFile(client: pg.Client, name: string, text: string, sha256: string): Promise<void> {
  await client.query('begin')
  try {
    // A migration that must wait for a long reader gives way instead of making everybody behind it wait too.
    await client.query(`set local lock_timeout = '5s'`)
    await client.query(text)
    await client.query('insert into atrium_meta.migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (problem) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed.`, { cause: problem })
  }
}

export function migrationFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{8}-\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
}

/** The queue's tables are the owner's; the program works in them but changes none. */
async function grantJobs(client: pg.Client): Promise<void> {
  await client.query('grant usage on schema pgboss to atrium_program')
  await client.query('grant select, insert, update, delete on all tables in schema pgboss to atrium_program')
  await client.query('grant usage on all sequences in schema pgboss to atrium_program')
  await client.query('grant execute on all functions in schema pgboss to atrium_program')
}
