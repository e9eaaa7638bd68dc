// spec: OP operation

/**
 * Follows docs/operators/large-tables.md for another table: the steps of `trade_deals` with the names, keys and
 * partitioning of `sessions`, under constant reads and writes, and with the extra step for a table that foreign keys
 * reference.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { copyInPieces, type ManagedContext, openManagedContext } from '../../tests/upgrade/managed-database.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { endSessionsOf } from './passwords/new-password.ts'

const changes: [from: RegExp, to: string][] = [
  [
    /references trading_accounts \(workspace_id, account_id, member_id\)/,
    `references members (workspace_id, member_id);
alter table sessions_parted add foreign key (workspace_id, staff_id) references staff_users (workspace_id, staff_id)`,
  ],
  [/\(workspace_id, account_id, member_id\)/, '(workspace_id, member_id)'],
  [/hash \(account_id\)/, 'hash (workspace_id)'],
  [/account_id = old\.account_id and deal_id = old\.deal_id/, 'session_id = old.session_id'],
  [/trading_accounts/g, 'sessions'],
  [/account_id/g, 'session_id'],
  [/trade_deals/g, 'sessions'],
  [/trade_deal/g, 'session'],
]
const step = (name: string): string =>
  changes.reduce(
    (text, [from, to]) => text.replace(from, to),
    readFileSync(new URL(`../../deploy/large-tables/trade-deals/${name}`, import.meta.url), 'utf8'),
  )

/** Foreign keys keep pointing to the old table: without this the challenge of a new session would be refused. */
const pointing = `
  alter table passkey_challenges drop constraint passkey_challenges_workspace_id_session_id_fkey,
    add constraint passkey_challenges_workspace_id_session_id_fkey
      foreign key (workspace_id, session_id) references sessions (workspace_id, session_id);`

let brokerages: System[]

let managed: ManagedContext
before(async () => {
  managed = await openManagedContext()
  brokerages = [await addWorkspace(managed.made.context), await addWorkspace(managed.made.context)]
})
after(() => managed.close())

/** One member who signs in, and one who signs in and out. */
async function signIn(system: System, expected: Map<string, boolean>): Promise<void> {
  for (const isOver of [false, true]) {
    const { memberId: id } = await addMember(system)
    await openTestSession(system, { kind: 'member', id })
    if (isOver) await inTransaction(system, (tx) => endSessionsOf(tx, system, { kind: 'member', id }))
    expected.set(id, isOver)
  }
}

const challenge = ({ workspaceId, ...system }: System, memberId: string) =>
  inTransaction({ workspaceId, ...system }, async (tx) => {
    const { session_id } = await tx
      .selectFrom('sessions')
      .select('session_id')
      .where('workspace_id', '=', workspaceId)
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
    const key = { workspace_id: workspaceId, session_id, member_id: memberId }
    const expires_at = managed.made.context.clock.now()
    await tx
      .insertInto('passkey_challenges')
      .values({ ...key, purpose: 'proof', challenge: 'x', expires_at })
      .execute()
  })

describe('partitioning the sessions table during sign-ins', () => {
  test('loses and revives no session, and keeps foreign keys', async () => {
    const expected = new Map<string, boolean>()
    let isOver = false
    const running = (async () => {
      while (!isOver) for (const system of brokerages) await signIn(system, expected)
    })()
    try {
      const more = async () => {
        const since = expected.size
        await eventually('further sign-ins are made', async () => expected.size > since + 4)
      }
      await more()
      await managed.owner.query(step('1-twin.sql'))
      await more()
      await copyInPieces(managed.owner, step('2-copy.sql'), 3)
      await more()
      await managed.owner.query(step('3-swap.sql').replace(/^commit;$/m, `${pointing}\ncommit;`))
      await more()
    } finally {
      isOver = true
      await running
    }
    const { rows } = await managed.admin.query<{ member_id: string; is_over: boolean }>(
      'select member_id, ended_at is not null as is_over from sessions',
    )
    assert.deepEqual(new Map(rows.map((row) => [row.member_id, row.is_over])), expected)
    const { rows: kinds } = await managed.admin.query(`select relkind from pg_class where oid = 'sessions'::regclass`)
    assert.deepEqual(kinds, [{ relkind: 'p' }])
  })

  test('lets a later session start a challenge, and hides it from other brokerages', async () => {
    const [system, elsewhere] = brokerages
    assert.ok(system && elsewhere)
    const { memberId } = await addMember(system)
    await openTestSession(system, { kind: 'member', id: memberId })
    await challenge(system, memberId)
    const found = await reading(elsewhere, (tx) =>
      tx.selectFrom('sessions').select('session_id').where('workspace_id', '=', system.workspaceId).execute(),
    )
    assert.deepEqual(found, [])
  })
})
