import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addMember, addWorkspace, memberActor } from '../testing/harbour.ts'
import type { Member } from './actor.ts'
import { inTransaction, reading } from './database.ts'

/** The whole of the bar is `ATRIUM_SCOPE_RUNS=20000`. */
const runs = Number(process.env.ATRIUM_SCOPE_RUNS ?? 2_000)

let made: MadeGround
let people: Member[]
before(async () => {
  made = await makeGround({ connectionsMax: 4 })
  people = []
  for (const subdomain of ['here', 'there']) {
    const system = await addWorkspace(made.ground, { subdomain })
    for (let count = 0; count < 3; count++) people.push(await memberActor(system, (await addMember(system)).memberId))
  }
})
after(() => made.close())

/** Every row of the table, asked without a WHERE: row security alone decides. */
function seenBy(member: Member): Promise<string[]> {
  return reading(member, async (tx) =>
    (await tx.selectFrom('members').select('member_id').execute()).map((row) => row.member_id),
  )
}

test('requests of two workspaces and six members through four connections, some failing: nobody sees a foreign row', async () => {
  const unit = async (index: number): Promise<void> => {
    const member = people[index % people.length]
    assert.ok(member)
    const kind = index % 7
    if (kind === 0) {
      await assert.rejects(inTransaction(member, () => Promise.reject(new Error('thrown in the middle'))))
    } else if (kind === 1) {
      await assert.rejects(
        inTransaction(member, (tx) =>
          tx
            .selectFrom('nothing' as 'members')
            .selectAll()
            .execute(),
        ),
      )
    } else {
      assert.deepEqual(await seenBy(member), [member.memberId])
    }
  }
  for (let start = 0; start < runs; start += 200) {
    await Promise.all(Array.from({ length: Math.min(200, runs - start) }, (_, offset) => unit(start + offset)))
  }
})

test('after a unit of work its connection knows nobody', async () => {
  const member = people[0]
  assert.ok(member)
  await seenBy(member)
  for (let count = 0; count < 12; count++) {
    const left = await made.ground.database.pool.query(
      `select current_setting('atrium.workspace_id', true) as workspace, current_setting('atrium.member_id', true) as member`,
    )
    assert.deepEqual([left.rows[0].workspace ?? '', left.rows[0].member ?? ''], ['', ''])
  }
  assert.equal((await made.ground.database.pool.query('select * from members')).rowCount, 0)
})

test('a scope takes ids only', async () => {
  const member = people[0]
  assert.ok(member)
  const hostile = { ...member, memberId: `x', true); drop table members; --` }
  await assert.rejects(seenBy(hostile), /UUIDs only/)
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
