import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../server/foundation/database/migrate.ts'
import { type MadeContext, makeTestContext } from '../fixtures/context.ts'
import { type FreshDatabase, freshDatabase, withDatabase } from '../fixtures/database/fresh-database.ts'

/** `adminUrl` connects as the superuser, who bypasses row security. */
export type ManagedDatabase = FreshDatabase & { adminUrl: string }

/**
 * A database as on a managed server: its owner is no superuser and cannot create roles, so that forced row security also
 * applies to the owner. The program's role is created in advance.
 */
export async function managedDatabase(): Promise<ManagedDatabase> {
  const fresh = await freshDatabase()
  const admin = new pg.Client({ connectionString: fresh.ownerUrl })
  await admin.connect()
  const name = `atrium_plain_${randomBytes(6).toString('hex')}`
  const roles = { owner: `${name}_owner`, program: `${name}_program` }
  const password = 'Owner-2026'
  await admin.query(`create role ${roles.owner} login nocreaterole nosuperuser password '${password}'`)
  await admin.query(`create role ${roles.program} login password '${password}' in role atrium_program`)
  await admin.query(`create database ${name} owner ${roles.owner}`)
  const adminUrl = withDatabase(fresh.ownerUrl, name)
  const addressOf = (username: string) => Object.assign(new URL(adminUrl), { username, password }).toString()
  const [ownerUrl, programUrl] = [addressOf(roles.owner), addressOf(roles.program)]
  await migrate(ownerUrl, { programDatabaseUrl: programUrl })
  const drop = async (): Promise<void> => {
    await admin.query(`drop database ${name} with (force)`)
    for (const role of Object.values(roles)) await admin.query(`drop role ${role}`)
    await admin.end()
    await fresh.drop()
  }
  return { ownerUrl, programUrl, adminUrl, drop }
}

export type ManagedContext = {
  made: MadeContext
  owner: pg.Client
  /** Used only to read every row. */
  admin: pg.Client
  close(): Promise<void>
}

/** A context on such a database, with a connection as its owner. */
export async function openManagedContext(): Promise<ManagedContext> {
  const database = await managedDatabase()
  const made = await makeTestContext({ database })
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  const admin = new pg.Client({ connectionString: database.adminUrl })
  for (const client of [owner, admin]) await client.connect()
  const close = async (): Promise<void> => {
    for (const client of [owner, admin]) await client.end()
    await made.close()
  }
  return { made, owner, admin, close }
}

/** Runs the copy step of deploy/large-tables/ in many small batches. */
export async function copyInPieces(owner: pg.Client, text: string, size: number): Promise<void> {
  // The procedure commits in between, which is not allowed in a multi-statement query.
  const [procedure = '', call = ''] = text.split(/^(?=call )/m)
  await owner.query(procedure)
  await owner.query(call.replace('()', `(${size})`))
}
