import { createHash } from 'node:crypto'
import pg from 'pg'

/** `given`: URL of a role made by an administrator. `directUrl`: the database itself, past any pooler. */
type Ways = { ownerUrl: string; directUrl: string; given: string | null; report(what: string): void }

/**
 * The group role `atrium_program` has the rights; a login role per database is its member. Returns the URL that the
 * program signs in with.
 */
export async function ensureProgramRole(client: pg.Client, ways: Ways): Promise<string> {
  await createRoleOnce(client, 'atrium_program', 'nologin nosuperuser nobypassrls nocreatedb nocreaterole')
  const database = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
  const program = ways.given ? new URL(ways.given) : await ensureLogin(client, database, ways)
  await joinProgram(client, decodeURIComponent(program.username))
  await client.query(`grant connect on database ${client.escapeIdentifier(database)} to atrium_program`)
  await client.query('grant usage on schema public to atrium_program')
  return program.toString()
}

/** For a database that is already migrated, such as a copy. */
export async function addProgramRole(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await ensureProgramRole(client, { ownerUrl, directUrl: ownerUrl, given: null, report: () => undefined })
  } finally {
    await client.end()
  }
}

/** Enough for operators who drop unused logins. */
const loginsMax = 9

/** The login role of a database. Roles are global to the server, so the name contains the database's. */
export function programLogin(database: string): string {
  return `atrium_login_${database}`.slice(0, 60)
}

/** The login for the first owner URL and those for later ones. A database name is unlikely to end like this. */
function programLogins(database: string): string[] {
  const first = programLogin(database)
  return [first, ...Array.from({ length: loginsMax - 1 }, (_, index) => `${first}~${index + 2}`)]
}

/**
 * The password derives from the owner's. Another owner URL, or a new owner password, gives another password and its own
 * login role; changing a password here would lock out processes that use the previous one.
 */
async function ensureLogin(client: pg.Client, database: string, { ownerUrl, directUrl, report }: Ways): Promise<URL> {
  const password = derivedPassword(ownerUrl, database)
  const names = programLogins(database)
  const there = await findRoles(client, names)
  for (const role of there)
    if (await opens(directUrl, { role, password })) return signedIn(ownerUrl, { role, password })
  for (const role of names.filter((name) => !there.includes(name))) {
    const isMade = await createLogin(client, { role, password })
    // The role was created concurrently by another database whose long name begins the same.
    if (!isMade && !(await opens(directUrl, { role, password }))) continue
    if (there.length > 0)
      report(
        `This owner's address opens none of the program's logins, so ${role} was made. Drop the others when nothing signs in with them: ${there.join(', ')}`,
      )
    return signedIn(ownerUrl, { role, password })
  }
  throw new Error(
    `This owner's address opens none of the program's logins, and there are ${loginsMax}. Drop those that nothing signs in with: ${there.join(', ')}`,
  )
}

type Login = { role: string; password: string }

/** Processes with the same owner URL derive the same password, so none has to be distributed. */
function derivedPassword(ownerUrl: string, database: string): string {
  const { password } = new URL(ownerUrl)
  return createHash('sha256').update(`atrium program role\n${password}\n${database}`).digest('base64url')
}

function signedIn(url: string, { role, password }: Login): URL {
  return Object.assign(new URL(url), { username: encodeURIComponent(role), password })
}

/** Counts as ours unless the password is wrong: a role may use other authentication or be refused from this host. */
async function opens(directUrl: string, login: Login): Promise<boolean> {
  const client = new pg.Client({ connectionString: signedIn(directUrl, login).toString() })
  try {
    await client.connect()
    return true
  } catch (problem) {
    const code = problem instanceof pg.DatabaseError ? problem.code : undefined
    if (code === '28P01') return false
    if (code === '28000' || code === '42501') return true
    throw problem
  } finally {
    await client.end()
  }
}

async function findRoles(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any ($1)', [
    names,
  ])
  const found = rows.map(({ rolname }) => rolname)
  return names.filter((name) => found.includes(name))
}

async function createLogin(client: pg.Client, { role, password }: Login): Promise<boolean> {
  const attributes = `login nosuperuser nobypassrls nocreatedb nocreaterole inherit password ${client.escapeLiteral(password)}`
  try {
    return await createRoleOnce(client, role, attributes)
  } catch (cause) {
    if (!isForbidden(cause)) throw cause
    const instead = 'Let it make roles, or make one yourself and name it in DATABASE_PROGRAM_URL.'
    throw new Error(`The owner of this database may not make the login ${role}. ${instead}`, { cause })
  }
}

/**
 * Roles are global to the server, so another migration may create the same one concurrently. Looks it up first, because
 * an owner without createrole can use existing roles.
 */
async function createRoleOnce(client: pg.Client, role: string, attributes: string): Promise<boolean> {
  if ((await findRoles(client, [role])).length > 0) return false
  try {
    await client.query(`create role ${client.escapeIdentifier(role)} ${attributes}`)
    return true
  } catch (problem) {
    if (problem instanceof pg.DatabaseError && ['42710', '23505'].includes(problem.code ?? '')) return false
    throw problem
  }
}

/** Grants only if missing: on a server with several owners only one of them may grant the group. */
async function joinProgram(client: pg.Client, role: string): Promise<void> {
  const member = await client.query<{ is_member: boolean }>(
    `select pg_has_role($1, 'atrium_program', 'usage') as is_member`,
    [role],
  )
  if (member.rows[0]?.is_member) return
  try {
    await client.query(`grant atrium_program to ${client.escapeIdentifier(role)}`)
  } catch (cause) {
    if (!isForbidden(cause)) throw cause
    const hint = `As an administrator of the server: grant atrium_program to ${client.escapeIdentifier(role)}`
    throw new Error(`The owner of this database may not grant the role atrium_program. ${hint}`, { cause })
  }
}

function isForbidden(problem: unknown): boolean {
  return problem instanceof pg.DatabaseError && problem.code === '42501'
}
