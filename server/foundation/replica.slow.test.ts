import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { prepare } from '../start.ts'
import { eventually } from '../testing/child-server.ts'
import { addMember, addStaff, addWorkspace, memberActor, staffActor } from '../testing/harbour.ts'
import type { Actor, Member, Staff } from './actor.ts'
import { audit } from './audit.ts'
import { inTransaction, listing, type Tx } from './database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { refuseNotFound } from './errors.ts'
import { openReplica } from './replica.ts'

/** A real copy: the data folder as it lay, told to follow. It is paused, killed and started again. */
const folder = mkdtempSync(join(tmpdir(), 'atrium-replica-'))
const places = { primary: join(folder, 'primary'), copy: join(folder, 'copy') }
const settings = { fsync: 'off', shared_buffers: '64MB' }

let primary: EmbeddedPostgres
let copy: EmbeddedPostgres
let prepared: Awaited<ReturnType<typeof prepare>>
let people: { member: Member; other: Member; staff: Staff }

before(async () => {
  chmodSync(folder, 0o711)
  const first = await startEmbeddedPostgres({ dataDirectory: places.primary, settings })
  await first.stop()
  const { status, stderr } = spawnSync('cp', ['-a', places.primary, places.copy], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  primary = await startEmbeddedPostgres({ dataDirectory: places.primary, settings })
  follow(primary)
  copy = await startCopy()
  const config = readConfig({
    NODE_ENV: 'test',
    ATRIUM_DATA: folder,
    LOG_LEVEL: 'silent',
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: copy.url,
  })
  prepared = await prepare(config)
  const system = await addWorkspace(prepared.ground)
  const [member, other] = [await addMember(system), await addMember(system)]
  people = {
    member: await memberActor(system, member.memberId),
    other: await memberActor(system, other.memberId),
    staff: staffActor(system, await addStaff(system)),
  }
})
after(async () => {
  await prepared.close()
  await copy.stop()
  await primary.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const startCopy = () => startEmbeddedPostgres({ dataDirectory: places.copy, settings })

function follow({ url }: EmbeddedPostgres): void {
  const { hostname, port, username, password } = new URL(url)
  const cluster = join(places.copy, 'cluster')
  writeFileSync(join(cluster, 'standby.signal'), '')
  const from = `host=${hostname} port=${port} user=${username} password=${password}`
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
}

async function onCopy(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: copy.url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** What a list says and where it was read. */
async function look(actor: Actor): Promise<{ isCopy: boolean; written: number }> {
  return listing(actor, async (tx) => {
    const { rows } = await sql<{ is_copy: boolean; written: number }>`
      select pg_is_in_recovery() as is_copy, count(*)::int as written from audit_log
      where workspace_id = ${actor.workspaceId} and action = 'test.written'`.execute(tx)
    return { isCopy: rows[0]?.is_copy === true, written: rows[0]?.written ?? -1 }
  })
}

function write(actor: Member | Staff): Promise<void> {
  const id = actor.kind === 'member' ? actor.memberId : actor.staffId
  return inTransaction(actor, (tx) => audit(tx, actor, { action: 'test.written', subject: { kind: actor.kind, id } }))
}

/** Comes back when everything is written, and commits when told to. */
async function beginWriting(actor: Member): Promise<{ proceed: () => void; written: Promise<void> }> {
  const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = inTransaction(actor, async (tx) => {
    await audit(tx, actor, { action: 'test.written', subject: { kind: 'member', id: actor.memberId } })
    begun.resolve()
    await told.promise
  })
  await Promise.race([begun.promise, written])
  return { proceed: told.resolve, written }
}

const comesFromCopy = (actor: Actor) => eventually('a list comes from the copy', async () => (await look(actor)).isCopy)

describe('a copy of the database', () => {
  it('is where lists are read', () => comesFromCopy(people.member))

  it('shows whoever wrote what they wrote, and spares the database with everybody else', async () => {
    await comesFromCopy(people.member)
    await onCopy('select pg_wal_replay_pause()')
    const before = (await look(people.other)).written
    await write(people.member)
    const own = await look(people.member)
    assert.equal(own.isCopy, false)
    assert.equal((await look(people.other)).isCopy, true)
    await write(people.staff)
    assert.deepEqual(await look(people.staff), { isCopy: false, written: before + 2 })
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(people.member)
    await comesFromCopy(people.staff)
  })

  it('never hides a write that was just made, however often', async () => {
    let written = 0
    const { member } = people
    const first = (await look(member)).written
    for (let turn = 0; turn < 200; turn += 1) {
      await write(member)
      written += 1
      const seen = await look(member)
      assert.ok(seen.written >= first + written, `${seen.written} of ${first + written}, turn ${turn}`)
    }
  })

  it('that took up the beginning of a write does not pass for one that has its end', async () => {
    const { member, other } = people
    await comesFromCopy(member)
    const before = (await look(member)).written
    const { proceed, written } = await beginWriting(member)
    // The copy learns of both transactions by the commit of the later one, and of no more than that.
    await write(other)
    await comesFromCopy(other)
    await onCopy('select pg_wal_replay_pause()')
    proceed()
    await written
    assert.deepEqual(await look(member), { isCopy: false, written: before + 1 })
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(member)
    assert.equal((await look(member)).written, before + 1)
  })

  it('is not what somebody is refused by, when what they ask for came a moment ago', async () => {
    await comesFromCopy(people.other)
    await onCopy('select pg_wal_replay_pause()')
    const before = (await look(people.other)).written
    await write(people.member)
    const find = async (tx: Tx) => {
      const { rows } =
        await sql`select from audit_log where workspace_id = scope_workspace() and action = 'test.written' offset ${before} limit 1`.execute(
          tx,
        )
      return rows.length > 0 ? 'found' : refuseNotFound()
    }
    assert.equal(await listing(people.staff, find), 'found')
    await onCopy('select pg_wal_replay_resume()')
  })

  it('that stays behind for long is not read any more, until it has caught up', async () => {
    await comesFromCopy(people.other)
    await onCopy('select pg_wal_replay_pause()')
    await write(people.member)
    await eventually('it is too old', async () => !(await look(people.other)).isCopy)
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(people.other)
  })

  it('that is killed costs nobody an answer, and is read again when it is back', async () => {
    await comesFromCopy(people.other)
    process.kill(copy.pid, 'SIGKILL')
    const { written } = await look(people.other)
    for (let turn = 0; turn < 20; turn += 1) assert.deepEqual(await look(people.other), { isCopy: false, written })
    await copy.stop()
    copy = await startCopy()
    // It came up on another port; in an installation it keeps its address.
    const { ground } = prepared
    await ground.database.replica?.close()
    const url = Object.assign(new URL(copy.url), credentialsOf(ground.database.pool)).toString()
    ground.database.replica = openReplica(url, ground.database.pool, ground.log)
    await comesFromCopy(people.other)
  })
})

it('a database that follows nobody is never read in place of ours', async () => {
  const { ground } = prepared
  const url = Object.assign(new URL(primary.url), credentialsOf(ground.database.pool)).toString()
  const stranger = openReplica(url, ground.database.pool, ground.log)
  try {
    // Looked at as often as one that follows would need to be usable.
    await comesFromCopy(people.other)
    assert.equal(stranger.isUsable(), false)
  } finally {
    await stranger.close()
  }
})

function credentialsOf(pool: pg.Pool): { username: string; password: string } {
  const { username, password } = new URL(pool.options.connectionString ?? '')
  return { username, password }
}
