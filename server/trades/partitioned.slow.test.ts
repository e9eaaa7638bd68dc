// spec: OP operation

/**
 * Follows docs/operators/large-tables.md: runs the steps of deploy/large-tables/ under constant reads and writes, as an
 * owner to whom row security applies.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import { copyInPieces, type ManagedContext, openManagedContext } from '../../tests/upgrade/managed-database.ts'
import type { Actor, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import type { Deal } from '../trading-platforms/contract.ts'
import { type Holder, keepDeals, removeGone } from './deals.ts'

const accounts = 24
const dealsEach = 500
const start = Date.UTC(2026, 0, 1) / 1000

let system: System
let elsewhere: System
let holders: Holder[]
let managed: ManagedContext
before(async () => {
  managed = await openManagedContext()
  elsewhere = await addWorkspace(managed.made.context)
  system = await addWorkspace(managed.made.context)
  const platformId = await addPlatform(system)
  holders = []
  for (let index = 0; index < accounts; index += 1) holders.push(await addHolder(system, platformId))
})
after(() => managed.close())

const dealOf = (id: number, comment: string): Deal => ({
  ...{ id: String(id), order: String(id), position: String(id), login: '1', cmd: 'OP_BUY', entry: 0, symbol: 'EURUSD' },
  ...{
    lots: '0.01',
    hundredths: '1',
    price: '1.1',
    openPrice: null,
    sl: null,
    tp: null,
    profit: '1',
    swap: '0',
    commission: '0',
  },
  ...{ fee: '0', at: start + id, openedAt: start + id, state: 4, platformState: 4, reason: 0, comment, isTrade: true },
})
const keep = (holder: Holder, deals: readonly Deal[], here = system) =>
  inTransaction(here, (tx) => keepDeals(tx, here, holder, deals))
const read = (name: string) =>
  readFileSync(new URL(`../../deploy/large-tables/trade-deals/${name}`, import.meta.url), 'utf8')
const step = (name: string) => managed.owner.query(read(name))

const countFor = (actor: Actor, account_id: string) =>
  reading(actor, async (tx) => {
    const rows = tx.selectFrom('trade_deals').select('deal_id').where('workspace_id', '=', actor.workspaceId)
    return (await rows.where('account_id', '=', account_id).execute()).length
  })

async function addHolder(here: System, platformId: string): Promise<Holder> {
  const { memberId } = await addMember(here)
  const holder = { account_id: await addAccount(here, { memberId, platformId }), member_id: memberId }
  const deals = Array.from({ length: dealsEach }, (_, id) => dealOf(id, 'first'))
  await keep(holder, deals, here)
  return holder
}

/** For each account adds, corrects and removes a deal in turn. Returns the expected rows. */
function startWriting() {
  const expected = new Map(holders.map(({ account_id }) => [account_id, new Map<string, string>()]))
  for (const stored of expected.values()) for (let id = 0; id < dealsEach; id += 1) stored.set(String(id), 'first')
  let turns = 0
  let isOver = false
  const write = async (holder: Holder, turn: number): Promise<void> => {
    const stored = expected.get(holder.account_id)
    const [added, changed, gone] = [dealsEach + turn, turn % dealsEach, (turn + 250) % dealsEach]
    await keep(holder, [dealOf(added, 'added'), dealOf(changed, `changed ${turn}`)])
    const window = { from: start + gone, to: start + gone, seen: [] }
    await inTransaction(system, (tx) => removeGone(tx, system, holder, window))
    stored?.set(String(added), 'added').set(String(changed), `changed ${turn}`).delete(String(gone))
  }
  const run = async (): Promise<void> => {
    while (!isOver) {
      for (const holder of holders) await write(holder, Math.floor(turns / holders.length))
      turns += holders.length
    }
  }
  const running = run()
  const stop = async () => {
    isOver = true
    await running
    return expected
  }
  return { turns: () => turns, stop }
}

describe('partitioning the deals table under reads and writes', () => {
  test('loses and restores no row, and refuses no write', async () => {
    const other = await addHolder(elsewhere, await addPlatform(elsewhere))
    const writing = startWriting()
    try {
      const isWritten = async () => {
        const since = writing.turns()
        await eventually('further rows are written', async () => writing.turns() > since)
      }
      await isWritten()
      await step('1-twin.sql')
      await assert.rejects(
        step('3-swap.sql'),
        /The partitions miss \d+ deals of workspace [0-9a-f-]+: run 2-copy\.sql again\. Nothing was swapped/,
      )
      await managed.owner.query('rollback')
      await isWritten()
      await copyInPieces(managed.owner, read('2-copy.sql'), 3)
      await isWritten()
      const { rows } = await managed.admin.query(
        '(select * from trade_deals except select * from trade_deals_parted) union all (select * from trade_deals_parted except select * from trade_deals) limit 3',
      )
      assert.deepEqual(rows, [])
      await step('3-swap.sql')
      await isWritten()
    } finally {
      await writing.stop()
    }
    const expected = await writing.stop()
    const found = await managed.admin.query<{ account_id: string; deal_id: string; comment: string }>(
      'select account_id, deal_id::text, comment from trade_deals',
    )
    const theirs = found.rows.filter((row) => row.account_id === other.account_id)
    assert.equal(theirs.length, dealsEach, 'those of another brokerage too')
    for (const { account_id } of holders) {
      const theirs = found.rows.filter((row) => row.account_id === account_id)
      assert.deepEqual(new Map(theirs.map((row) => [row.deal_id, row.comment])), expected.get(account_id))
    }
  })

  test('reads one partition for one account, and keeps row security', async () => {
    const [one, other] = holders
    assert.ok(one && other)
    const plan = await managed.admin.query(
      `explain select * from trade_deals where workspace_id = $1 and account_id = $2`,
      [system.workspaceId, one.account_id],
    )
    const parts = plan.rows.flatMap((row) => String(row['QUERY PLAN']).match(/on trade_deals_part_\d/g) ?? [])
    assert.equal(new Set(parts).size, 1)
    const member = await memberActor(system, one.member_id)
    assert.ok((await countFor(member, one.account_id)) > 0)
    assert.equal(await countFor(member, other.account_id), 0)
    assert.equal(await countFor(elsewhere, one.account_id), 0)
    for (const table of ['trade_deals_part_0', 'trade_deals_before']) {
      const { rows } = await managed.owner.query(`select has_table_privilege('atrium_program', $1, 'select') as may`, [
        table,
      ])
      assert.deepEqual(rows, [{ may: false }], table)
    }
  })
})
