// spec: OP operation
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Mt5Simulator, startMt5Simulator } from '../../../simulators/mt5/simulator.ts'
import { eventually } from '../../../tests/doubles/child-server.ts'
import { addAccount, addPlatform } from '../../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  approveDocuments,
  type MadeStaff,
  memberActor,
  staffActor,
} from '../../../tests/fixtures/workspaces.ts'
import { readConfig } from '../../config.ts'
import { requestDemoDeposit } from '../../deposits/demo-deposit.ts'
import { searchSources } from '../../domains.ts'
import { exportTransactions } from '../../funding/table.ts'
import { makeLog } from '../../observability/log.ts'
import { openTradingAccount } from '../../openings/open-account.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { searchOwn } from '../../search/search.ts'
import { signIn } from '../../sessions/sign-in.ts'
import { makeUniqueToken } from '../../sessions/unique-token.ts'
import { prepare } from '../../start.ts'
import type { Actor, Member, Staff, System } from '../actor.ts'
import { audit } from '../audit.ts'
import { refuseNotFound } from '../errors.ts'
import { inTransaction, listing, type Tx } from './database.ts'
import { openDatabase } from './pool.ts'
import { openReplica } from './replica.ts'

/** A real streaming replica from a base copy of the data folder, to be paused, killed and restarted. */
const folder = mkdtempSync(join(tmpdir(), 'atrium-replica-'))
const places = { primary: join(folder, 'primary'), copy: join(folder, 'copy'), saved: join(folder, 'saved') }
const settings = { fsync: 'off', shared_buffers: '64MB' }

const manager = { login: '1000', password: 'Manager-2026' }
const liveGroup = 'real\\standard-usd'

let primary: EmbeddedPostgres
let copy: EmbeddedPostgres
let prepared: Awaited<ReturnType<typeof prepare>>
let system: System
let simulator: Mt5Simulator
let people: { member: Member; other: Member; staff: Staff; staffSignIn: MadeStaff }

before(async () => {
  chmodSync(folder, 0o711)
  const first = await startEmbeddedPostgres({ dataDirectory: places.primary, settings })
  await (await prepare(configOf(first.url))).close()
  await first.stop()
  for (const place of [places.copy, places.saved]) copyFolder(places.primary, place)
  primary = await startEmbeddedPostgres({ dataDirectory: places.primary, settings })
  follow(primary)
  copy = await startCopy()
  prepared = await prepare(configOf(primary.url, { DATABASE_READ_URL: copy.url }))
  system = await addWorkspace(prepared.context)
  const [member, other] = [await addMember(system), await addMember(system)]
  const staffSignIn = await addStaff(system)
  people = {
    member: await memberActor(system, member.memberId),
    other: await memberActor(system, other.memberId),
    staff: staffActor(system, staffSignIn),
    staffSignIn,
  }
  const managers = [manager]
  simulator = await startMt5Simulator({ port: 0, stateFile: ':memory:', managers, timeZone: 'Europe/Athens' })
})
after(async () => {
  await prepared.close()
  await simulator.stop()
  await copy.stop()
  await primary.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function configOf(url: string, more: Record<string, string> = {}) {
  return readConfig({ NODE_ENV: 'test', ATRIUM_DATA: folder, LOG_LEVEL: 'silent', DATABASE_URL: url, ...more })
}

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

/** The content of a list and where it was read. */
async function readPosition(actor: Actor): Promise<{ isCopy: boolean; written: number }> {
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

/** A platform on which the member has a demo account and may open a live one. */
async function addPlatformFor({ memberId }: Member): Promise<{ platformId: string; demoId: string }> {
  const settings = { baseUrl: simulator.url, managerLogin: manager.login, timeZone: 'Europe/Athens' }
  const platformId = await addPlatform(system, {
    groups: [{ name: liveGroup, alias: 'Standard' }],
    connection: { settings: { ...settings, allowPlainHttp: true }, secret: { managerPassword: manager.password } },
  })
  await approveDocuments(system, memberId)
  return { platformId, demoId: await addAccount(system, { memberId, platformId, live_account: false }) }
}

/** Resolves when all rows are written, and commits on `proceed`. */
async function beginWriting(actor: Member): Promise<{ proceed: () => void; written: Promise<void> }> {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = inTransaction(actor, async (tx) => {
    await audit(tx, actor, { action: 'test.written', subject: { kind: 'member', id: actor.memberId } })
    begun.resolve()
    await released.promise
  })
  await Promise.race([begun.promise, written])
  return { proceed: released.resolve, written }
}

const comesFromCopy = (actor: Actor) =>
  eventually('a list is read from the replica', async () => (await readPosition(actor)).isCopy)

describe('a replica of the database', () => {
  it('serves lists', () => comesFromCopy(people.member))

  it('shows writers their own writes, and still serves everyone else', async () => {
    await comesFromCopy(people.member)
    await onCopy('select pg_wal_replay_pause()')
    const before = (await readPosition(people.other)).written
    await write(people.member)
    const own = await readPosition(people.member)
    assert.equal(own.isCopy, false)
    assert.equal((await readPosition(people.other)).isCopy, true)
    await write(people.staff)
    assert.deepEqual(await readPosition(people.staff), { isCopy: false, written: before + 2 })
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(people.member)
    await comesFromCopy(people.staff)
  })

  it('shows a member what the program wrote on their behalf, and staff their sign-in', async () => {
    const { member, staff } = people
    const { platformId, demoId } = await addPlatformFor(member)
    const nonce_token = await makeUniqueToken(member, 'transaction_deposit')
    const found = async (query: string) => (await searchOwn(member, query, searchSources)).flatMap(({ hits }) => hits)
    await comesFromCopy(member)
    await comesFromCopy(staff)
    await onCopy('select pg_wal_replay_pause()')
    const deposit = { trading_account: demoId, amount: '25.00', comment: 'To practise', nonce_token }
    const { ticket } = await requestDemoDeposit(member, { ...deposit, token_key: 'transaction_deposit' })
    assert.equal((await found(ticket)).length, 1, 'the deposit is found')
    let table = ''
    for await (const line of (await exportTransactions(member, { withCancelled: true })).lines) table += line
    assert.ok(table.includes(ticket), 'the deposit is in the table')

    const wanted = { trading_platform: platformId, group: liveGroup, leverage: 100, initial_deposit: 0 } as const
    const opened = await openTradingAccount(member, 'live', { ...wanted, main_password: 'Tidal-Gauge-71' })
    assert.ok('account' in opened)
    assert.equal((await found(opened.account.platform_login)).length, 1, 'the account is found')

    const device = { address: '127.0.0.1', userAgent: null }
    await signIn(system, 'staff', people.staffSignIn, device)
    assert.equal((await readPosition(staff)).isCopy, false)
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(member)
    await comesFromCopy(staff)
  })

  it('never hides a write just made, in many repetitions', async () => {
    let written = 0
    const { member } = people
    const first = (await readPosition(member)).written
    for (let turn = 0; turn < 200; turn += 1) {
      await write(member)
      written += 1
      const seen = await readPosition(member)
      assert.ok(seen.written >= first + written, `${seen.written} of ${first + written}, turn ${turn}`)
    }
  })

  it('does not mistake a write it has begun to replay for a committed one', async () => {
    const { member, other } = people
    await comesFromCopy(member)
    const before = (await readPosition(member)).written
    const { proceed, written } = await beginWriting(member)
    // The replica knows of both transactions through the later commit, and of nothing more.
    await write(other)
    await comesFromCopy(other)
    await onCopy('select pg_wal_replay_pause()')
    proceed()
    await written
    assert.deepEqual(await readPosition(member), { isCopy: false, written: before + 1 })
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(member)
    assert.equal((await readPosition(member)).written, before + 1)
  })

  it('does not decide a refusal when the row was written a moment ago', async () => {
    await comesFromCopy(people.other)
    await onCopy('select pg_wal_replay_pause()')
    const before = (await readPosition(people.other)).written
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

  it('is not read while it lags too far, until it catches up', async () => {
    await comesFromCopy(people.other)
    await onCopy('select pg_wal_replay_pause()')
    await write(people.member)
    await eventually('the replica lags too far', async () => !(await readPosition(people.other)).isCopy)
    await onCopy('select pg_wal_replay_resume()')
    await comesFromCopy(people.other)
  })

  it('costs no answer when killed, and is read again after its restart', async () => {
    await comesFromCopy(people.other)
    process.kill(copy.pid, 'SIGKILL')
    // Its connections answer until they notice, a moment later.
    await eventually('the killed replica is not used', async () => !(await readPosition(people.other)).isCopy)
    const { written } = await readPosition(people.other)
    for (let turn = 0; turn < 20; turn += 1)
      assert.deepEqual(await readPosition(people.other), { isCopy: false, written })
    await copy.stop()
    copy = await startCopy()
    // It restarted on another port; a real installation keeps its address.
    const { context } = prepared
    await context.database.replica?.close()
    const url = Object.assign(new URL(copy.url), credentialsOf(context.database.pool)).toString()
    context.database.replica = openReplica(url, context.database.pool, context.log)
    await comesFromCopy(people.other)
  })
})

it('never reads a database that is no replica', async () => {
  const { context } = prepared
  const url = Object.assign(new URL(primary.url), credentialsOf(context.database.pool)).toString()
  const otherReplica = openReplica(url, context.database.pool, context.log)
  try {
    // Polled as often as a replica needs to become usable.
    await comesFromCopy(people.other)
    assert.equal(otherReplica.isUsable(), false)
  } finally {
    await otherReplica.close()
  }
})

describe('a database restored from a backup', () => {
  const lines: string[] = []

  /** Restores to an earlier moment: later writes are gone, and a new timeline begins. */
  before(async () => {
    await comesFromCopy(people.other)
    await primary.stop()
    rmSync(places.primary, { recursive: true })
    renameSync(places.saved, places.primary)
    const cluster = join(places.primary, 'cluster')
    writeFileSync(join(cluster, 'recovery.signal'), '')
    appendFileSync(join(cluster, 'postgresql.auto.conf'), `restore_command = 'false'\n`)
    primary = await startEmbeddedPostgres({ dataDirectory: places.primary, settings })
  })

  it('is read itself, because the old replica shows rows that no longer exist', async () => {
    const { context } = prepared
    const credentials = credentialsOf(context.database.pool)
    const [url, replicaUrl] = [primary.url, copy.url].map((each) =>
      Object.assign(new URL(each), credentials).toString(),
    ) as [string, string]
    const log = makeLog('warn', { write: (line) => void lines.push(line) })
    const database = openDatabase(url, { replicaUrl, log })
    try {
      await eventually('the replica was checked', async () => lines.some((line) => line.includes('before a restore')))
      const { isCopy } = await readPosition({ ...people.other, context: { ...context, database } })
      assert.deepEqual([isCopy, database.replica?.isUsable()], [false, false])
    } finally {
      await database.close()
    }
  })
})

function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

function credentialsOf(pool: pg.Pool): { username: string; password: string } {
  const { username, password } = new URL(pool.options.connectionString ?? '')
  return { username, password }
}
