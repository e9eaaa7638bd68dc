// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addMember, addWorkspace, memberActor } from '../../../tests/fixtures/workspaces.ts'
import { type Member, systemActor } from '../actor.ts'
import { newId } from '../ids.ts'
import { inPreparedTransaction, inTransaction, reading, type Tx } from './database.ts'

/** The full run of the requirement is `ATRIUM_TEST_SCOPE_RUNS=20000`. */
const runs = Number(process.env.ATRIUM_TEST_SCOPE_RUNS ?? 2_000)

let made: MadeContext
let people: Member[]
before(async () => {
  made = await makeTestContext({ connectionsMax: 4 })
  people = []
  for (const subdomain of ['here', 'there']) {
    const system = await addWorkspace(made.context, { subdomain })
    for (let count = 0; count < 3; count++) people.push(await memberActor(system, (await addMember(system)).memberId))
  }
})
after(() => made.close())

/** Every visible row of the table, without a WHERE: row security alone decides. */
function seenBy(member: Member): Promise<string[]> {
  return reading(member, async (tx) =>
    (await tx.selectFrom('members').select('member_id').execute()).map((row) => row.member_id),
  )
}

/** Ways in which a unit of work can fail while it holds its connection. */
const failures: { fail: (tx: Tx) => Promise<unknown>; message: RegExp }[] = [
  { fail: () => Promise.reject(new Error('thrown in the middle')), message: /thrown in the middle/ },
  {
    fail: (tx) =>
      tx
        .selectFrom('nothing' as 'members')
        .selectAll()
        .execute(),
    message: /does not exist/,
  },
  { fail: (tx) => sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)`.execute(tx), message: /user request/ },
  {
    fail: async (tx) => {
      await sql`select set_config('statement_timeout', '1ms', true)`.execute(tx)
      await sql`select pg_sleep(5)`.execute(tx)
    },
    message: /statement timeout/,
  },
]

test('shows no foreign row to six members of two workspaces on four connections, with failed and cancelled units', async () => {
  const met = failures.map(() => 0)
  const unit = async (index: number): Promise<void> => {
    const member = people[index % people.length]
    assert.ok(member)
    const kind = index % 11
    const failure = failures[kind]
    if (failure) {
      await assert.rejects(inTransaction(member, failure.fail), failure.message)
      met[kind] = (met[kind] ?? 0) + 1
    } else {
      assert.deepEqual(await seenBy(member), [member.memberId])
    }
  }
  for (let start = 0; start < runs; start += 200) {
    await Promise.all(Array.from({ length: Math.min(200, runs - start) }, (_, offset) => unit(start + offset)))
  }
  for (const count of met) assert.ok(count >= Math.floor(runs / 11), String(met))
})

test('no unit of any kind leaves its scope on its connection', async () => {
  const { pool } = made.context.database
  const scopeLeft = `select concat(current_setting('atrium.workspace_id', true), current_setting('atrium.actor_kind', true),
    current_setting('atrium.member_id', true)) as scope`
  for (const unit of [inTransaction, inPreparedTransaction, reading]) {
    await Promise.all(people.map((member) => unit(member, (tx) => sql`select 1`.execute(tx))))
    const left = await Promise.all(people.map(() => pool.query<{ scope: string }>(scopeLeft)))
    assert.deepEqual(new Set(left.flatMap(({ rows }) => rows.map(({ scope }) => scope))), new Set(['']), unit.name)
  }
})

test('a connection cut during its unit of work fails no other unit', async () => {
  for (const member of people) {
    const cut = inTransaction(member, (tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx))
    const others = people.map(async (other) => assert.deepEqual(await seenBy(other), [other.memberId]))
    await assert.rejects(cut)
    await Promise.all(others)
  }
})

test('a statement after the end of its unit never runs in the next unit on the connection', async () => {
  const [member] = people
  assert.ok(member)
  for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('thrown in the middle'))]) {
    let leaked: Tx | undefined
    const unit = inTransaction(member, (tx) => {
      leaked = tx
      return end()
    })
    await unit.catch((problem: Error) => assert.equal(problem.message, 'thrown in the middle'))
    await assert.rejects(
      async () => leaked?.selectFrom('members').select('member_id').execute(),
      /unit of work is over/,
    )
  }
})

test('shows no foreign row to jobs of two workspaces between requests of members, with some failing', async () => {
  const { context } = made
  const wanted = new Map<string, string>()
  const seen = new Map<string, string[]>()
  const failed = new Set<string>()
  const queue = 'sessions.sweep'
  await context.jobs.start({
    [queue]: async ({ workspaceId, id }) => {
      try {
        await inTransaction(systemActor(context, workspaceId), async (tx) => {
          const rows = await tx.selectFrom('members').select('workspace_id').distinct().execute()
          if (failed.size < wanted.size / 5 && !failed.has(id)) {
            failed.add(id)
            throw new Error('thrown in the middle')
          }
          seen.set(id, [...(seen.get(id) ?? []), ...rows.map((row) => row.workspace_id)])
        })
      } finally {
        context.jobs.wake(queue)
      }
    },
  })
  for (let count = 0; count < 60; count++) {
    const member = people[count % people.length]
    assert.ok(member)
    const { workspaceId } = member
    const id = newId()
    wanted.set(id, workspaceId)
    // A member enqueues the job; it runs for the workspace and sees all its rows and no others.
    await inTransaction(member, (tx) => context.jobs.enqueue(tx, queue, { workspaceId, id }))
  }
  context.jobs.wake(queue)
  await eventually('every job has run', async () => {
    await Promise.all(people.map(async (member) => assert.deepEqual(await seenBy(member), [member.memberId])))
    return seen.size === wanted.size
  })
  assert.equal(failed.size, 12)
  for (const [id, workspaceId] of wanted) assert.deepEqual(seen.get(id), [workspaceId])
})

test('a connection has no scope after its unit of work', async () => {
  const member = people[0]
  assert.ok(member)
  await seenBy(member)
  for (let count = 0; count < 12; count++) {
    const left = await made.context.database.pool.query(
      `select current_setting('atrium.workspace_id', true) as workspace, current_setting('atrium.member_id', true) as member`,
    )
    assert.deepEqual([left.rows[0].workspace ?? '', left.rows[0].member ?? ''], ['', ''])
  }
  assert.equal((await made.context.database.pool.query('select * from members')).rowCount, 0)
})

test('a scope accepts ids only', async () => {
  const member = people[0]
  assert.ok(member)
  const text = `x', true); drop table members; --`
  const nothing = async () => undefined
  for (const hostile of [
    { ...member, memberId: text },
    { ...member, workspaceId: text },
    { ...systemActor(made.context, member.workspaceId), workspaceId: text },
  ]) {
    // Writing units put the ids into the text of a statement, reading units send them as parameters.
    await assert.rejects(inTransaction(hostile, nothing), /UUIDs only/)
    await assert.rejects(
      reading(hostile, (tx) => tx.selectFrom('members').selectAll().execute()),
      /UUIDs only/,
    )
  }
})

test('a reading unit cannot write', async () => {
  const member = people[0]
  assert.ok(member)
  await assert.rejects(
    reading(member, (tx) =>
      tx.updateTable('members').set({ title: 'Sir' }).where('member_id', '=', member.memberId).execute(),
    ),
    /read-only/,
  )
})
