// spec: OP operation

/**
 * docs/operators/large-tables.md for the audit log: runs the steps of deploy/large-tables/audit-log/ while entries are written and
 * an erased member's details are removed, as an owner subject to row security. The chain must verify before, during and after.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addMember, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { copyInPieces, type ManagedContext, openManagedContext } from '../../tests/upgrade/managed-database.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { verifyAudit } from './verify.ts'

let brokerages: System[]
let managed: ManagedContext
before(async () => {
  managed = await openManagedContext()
  brokerages = [await addWorkspace(managed.made.context), await addWorkspace(managed.made.context)]
})
after(() => managed.close())

const read = (name: string) =>
  readFileSync(new URL(`../../deploy/large-tables/audit-log/${name}`, import.meta.url), 'utf8')

const write = (system: System, memberId?: string) =>
  inTransaction(system, async (tx) => {
    const subject = { kind: 'member', id: memberId ?? newId() }
    await audit(tx, system, { action: 'member.changed', subject, memberId, after: { text: 'x' } })
    return subject.id
  })

/** Erases a member, with the name and the details that the log holds. */
async function erase(system: System): Promise<string> {
  const { memberId } = await addMember(system)
  for (let entry = 0; entry < 3; entry += 1) await write(system, memberId)
  await inTransaction(system, async (tx) => {
    await tx
      .updateTable('members')
      .set({ status: 'erased' })
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .execute()
    await sql`select erase_logged_details(${memberId}::uuid)`.execute(tx)
  })
  return memberId
}

async function assertChain(): Promise<void> {
  for (const system of brokerages) {
    const { findings, entries } = await verifyAudit(system)
    assert.deepEqual(findings, [])
    assert.ok(entries > 10)
  }
}

describe('partitioning the audit log while it is written', () => {
  test('loses no entry, keeps the chain whole, and does not bring erased details back', async () => {
    const written: string[] = []
    const erased: string[] = []
    let isOver = false
    const running = (async () => {
      while (!isOver)
        for (const system of brokerages) {
          written.push(await write(system))
          if (written.length % 7 === 0) erased.push(await erase(system))
        }
    })()
    try {
      const more = async () => {
        const since = written.length
        await eventually('further entries are written', async () => written.length > since + 30)
      }
      await more()
      await managed.owner.query(read('1-twin.sql'))
      await more()
      await copyInPieces(managed.owner, read('2-copy.sql'), 7)
      await more()
      await assertChain()
      const [swap = '', validate = ''] = read('3-swap.sql').split(/(?<=^commit;\n)/m)
      await managed.owner.query(swap)
      await more()
      await managed.owner.query(validate)
      await more()
    } finally {
      isOver = true
      await running
    }
    await assertChain()
    const { rows } = await managed.admin.query<{ subject_id: string; after: unknown; part: string }>(
      `select subject_id, after, tableoid::regclass::text as part from audit_log where action = 'member.changed'`,
    )
    assert.deepEqual(new Set(rows.map((row) => row.subject_id)), new Set([...written, ...erased]))
    assert.equal(rows.length, written.length + 3 * erased.length)
    const left = rows.filter((row) => erased.includes(row.subject_id) && row.after !== null)
    assert.deepEqual(left, [])
    assert.ok(erased.length > 2)
    assert.deepEqual([...new Set(rows.map((row) => row.part))], [`audit_log_part_${month(new Date())}`])
  })

  test('verification finds an entry that the owner changed, and no other role can change one', async () => {
    const [system, elsewhere] = brokerages
    assert.ok(system && elsewhere)
    const subject_id = await write(system)
    const found = await reading(elsewhere, (tx) =>
      tx.selectFrom('audit_log').select('audit_id').where('workspace_id', '=', system.workspaceId).execute(),
    )
    assert.deepEqual(found, [])
    for (const change of ['delete from audit_log', `update audit_log set action = 'x'`])
      await assert.rejects(
        inTransaction(system, (tx) => sql.raw(change).execute(tx)),
        /permission denied/,
      )
    await managed.admin.query(`update audit_log set action = 'member.left-alone' where subject_id = $1`, [subject_id])
    const { findings } = await verifyAudit(system)
    assert.deepEqual(
      findings.map(({ what }) => what),
      ['the entry or its link was changed'],
    )
  })

  test('can be given partitions for the months after its last one', async () => {
    const [system] = brokerages
    assert.ok(system)
    const { rows } = await managed.admin.query<{ last: string }>(
      `select max(inhrelid::regclass::text) filter (where inhrelid::regclass::text ~ '_\\d+$') as last
        from pg_inherits where inhparent = 'audit_log'::regclass`,
    )
    const inTwoYears = new Date()
    inTwoYears.setUTCDate(1)
    inTwoYears.setUTCMonth(inTwoYears.getUTCMonth() + 24)
    assert.equal(rows[0]?.last, `audit_log_part_${month(inTwoYears)}`)
    inTwoYears.setUTCMonth(inTwoYears.getUTCMonth() + 1)
    const first = `${inTwoYears.toISOString().slice(0, 7)}-01 00:00Z`
    await managed.owner.query(`set timezone = 'UTC'; call add_audit_log_parts('audit_log', '${first}', 12)`)
    const parts = await managed.admin.query(`select to_regclass($1) is not null as is_there`, [
      `audit_log_part_${month(inTwoYears)}`,
    ])
    assert.deepEqual(parts.rows, [{ is_there: true }])
  })
})

const month = (at: Date): string => at.toISOString().slice(0, 7).replace('-', '_')
