// spec: DK record, OP faults
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { verifyAudit } from './verify.ts'

const entriesWanted = 10_000

let made: MadeContext
let owner: pg.Client
let system: System
let other: System

before(async () => {
  made = await makeTestContext()
  owner = await made.openOwner()
  system = await addWorkspace(made.context)
  other = await addWorkspace(made.context)
  await write(other, 3)
  await fill(entriesWanted)
})
after(() => made.close())

async function write(by: System, count: number): Promise<void> {
  await inTransaction(by, async (tx) => {
    for (let index = 0; index < count; index++)
      await audit(tx, by, { action: 'test.written', subject: { kind: 'test', id: newId() }, after: { index } })
  })
}

/** Inserts the required number of entries in one statement; the trigger links each. */
async function fill(count: number): Promise<void> {
  await owner.query(
    `insert into audit_log (workspace_id, audit_id, at, actor_kind, action, subject_kind, subject_id, before, after, address)
     select $1, gen_random_uuid(), now() + n * interval '1 second', 'system', 'test.filled', 'test', gen_random_uuid(),
       jsonb_build_object('n', n - 1), jsonb_build_object('n', n, 'text', 'Größe ' || n), '192.0.2.1'
     from generate_series(1, $2::int) n`,
    [system.workspaceId, count],
  )
  // Autovacuum does this in time; without statistics the planner would compare every row with every other.
  await owner.query('analyze audit_log, audit_links')
}

/** Applies changes with the owner's rights, verifies the log, and restores it. */
async function whileTampered(statements: string[], values: unknown[] = []) {
  const edit = await made.openOwner()
  await edit.query('create table kept_log as select * from audit_log')
  await edit.query('create table kept_links as select * from audit_links')
  await edit.query('set session_replication_role = replica')
  for (const statement of statements) await edit.query(statement, statement.includes('$1') ? values : [])
  const report = await verifyAudit(system)
  // Truncated, since ten thousand more dead rows from each edit would slow every later verification.
  await edit.query('truncate audit_links, audit_log')
  await edit.query('insert into audit_log select * from kept_log; insert into audit_links select * from kept_links')
  await edit.query('analyze audit_log, audit_links')
  await edit.query('drop table kept_log; drop table kept_links')
  return report
}

const at =
  'workspace_id = $1 and audit_id = (select audit_id from audit_links where workspace_id = $1 and position = 4711)'

describe('the chain of the audit log', () => {
  test('verifies as written, with positions from one in each workspace', async () => {
    const report = await verifyAudit(system)
    assert.deepEqual([report.entries, report.findings], [entriesWanted, []])
    assert.match(report.head, /^10000:[0-9a-f]{64}$/)
    assert.deepEqual((await verifyAudit(other)).findings, [])
    assert.equal((await verifyAudit(other)).entries, 3)
  })

  const edits: [string, string][] = [
    ['details', `update audit_log set after = '{"n": 0}' where ${at}`],
    ['previous details', `update audit_log set before = null where ${at}`],
    ['time', `update audit_log set at = at - interval '1 microsecond' where ${at}`],
    ['actor', `update audit_log set actor_kind = 'staff', actor_id = gen_random_uuid() where ${at}`],
    ['action', `update audit_log set action = 'test.fillet' where ${at}`],
    ['address', `update audit_log set address = '192.0.2.2' where ${at}`],
    ['member', `update audit_log set member_id = gen_random_uuid() where ${at}`],
    ['link', `update audit_links set hash = sha256('x') where workspace_id = $1 and position = 4711`],
  ]
  for (const [what, statement] of edits) {
    test(`finds which one of ten thousand entries has another ${what}`, async () => {
      const { findings } = await whileTampered([statement], [system.workspaceId])
      assert.equal(findings[0]?.position, '4711', JSON.stringify(findings))
      assert.ok(findings.length <= 2)
    })
  }

  test('finds a removed entry, with or without its link', async () => {
    const entry = `delete from audit_log where ${at}`
    const link = 'delete from audit_links where workspace_id = $1 and position = 4711'
    assert.equal((await whileTampered([entry], [system.workspaceId])).findings[0]?.position, '4711')
    assert.equal((await whileTampered([entry, link], [system.workspaceId])).findings[0]?.position, '4712')
  })

  test('finds an entry that was inserted past the program', async () => {
    const forged = `insert into audit_log select workspace_id, gen_random_uuid(), at, actor_kind, actor_id, member_id, action,
      subject_kind, subject_id, before, after, request_id, address from audit_log where ${at}`
    assert.match((await whileTampered([forged], [system.workspaceId])).findings[0]?.what ?? '', /no link/)
  })

  test('finds a truncated end when the head was noted elsewhere', async () => {
    const { head } = await verifyAudit(system)
    await write(system, 2)
    assert.deepEqual((await verifyAudit(system, head)).findings, [])
    const later = (await verifyAudit(system)).head
    const cut = await whileTampered(
      [
        `delete from audit_log where workspace_id = $1 and action = 'test.written'`,
        'delete from audit_links where workspace_id = $1 and position > 10000',
      ],
      [system.workspaceId],
    )
    assert.deepEqual([cut.findings, cut.head], [[], head])
    assert.notEqual(cut.head, later)
    assert.match((await verifyAudit(system, `10002:${'0'.repeat(64)}`)).findings[0]?.what ?? '', /noted end/)
  })
})

describe('concurrent entries', () => {
  test('form one chain without gap or fork, and a rollback leaves no link', async () => {
    const busy = await addWorkspace(made.context)
    const members = await Promise.all([1, 2, 3].map(() => addMember(busy)))
    const actors = [busy, ...(await Promise.all(members.map(({ memberId }) => memberActor(busy, memberId))))]
    const work = Array.from({ length: 120 }, (_, index) =>
      inTransaction(actors[index % actors.length] ?? busy, async (tx) => {
        const actor = actors[index % actors.length] ?? busy
        const subject = { kind: 'test', id: newId() }
        await audit(tx, actor, { action: 'test.raced', subject })
        await audit(tx, actor, { action: 'test.raced-again', subject })
        if (index % 10 === 9) throw new Error('taken back')
      }).catch((problem: Error) => assert.equal(problem.message, 'taken back')),
    )
    await Promise.all(work)
    const report = await verifyAudit(busy)
    assert.deepEqual([report.entries, report.findings], [216, []])
  })
})

describe("the program's own role", () => {
  let program: pg.Client
  before(async () => {
    program = new pg.Client({ connectionString: made.programUrl })
    await program.connect()
  })
  after(() => program.end())

  async function attempt(statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
    await program.query('begin')
    try {
      await program.query(
        `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', 'system', true)`,
        [system.workspaceId],
      )
      return await program.query(statement, values)
    } finally {
      await program.query('rollback')
    }
  }

  test('cannot change or remove an entry or a link', async () => {
    for (const table of ['audit_log', 'audit_links'])
      for (const statement of [
        `update ${table} set workspace_id = workspace_id`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await assert.rejects(attempt(statement), /permission denied/, statement)
    await assert.rejects(attempt('alter table audit_log disable trigger link_audit_entry'), /must be owner/)
    await assert.rejects(attempt('set session_replication_role = replica'), /permission denied/)
  })

  test('cannot choose the position or hashes of a link: the database sets them', async () => {
    const made = await attempt(
      `with entry as (select audit_id from audit_links where workspace_id = $1 and position = 1)
       insert into audit_links (workspace_id, position, audit_id, details_hash, hash)
         values ($1, 1, gen_random_uuid(), sha256('x'), sha256('x')) returning position, hash`,
      [system.workspaceId],
    ).catch((problem: Error) => problem.message)
    assert.match(String(made), /no rows/)
  })

  test('cannot remove the details of a member who is not erased', async () => {
    const { memberId } = await addMember(system)
    await assert.rejects(attempt('select erase_logged_details($1)', [memberId]), /only the details of an erased member/)
  })
})
