/**
 * Exports and erases a member of a brokerage with millions of trades and transactions within the statement timeout: every query must
 * read the rows of that member by an index, not those of the workspace.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { freshDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { type Plan, plansWithoutScans } from '../../tests/fixtures/database/rows-read.ts'
import { closePayments } from '../../tests/fixtures/payments/payment-exceptions.ts'
import { addStaff, provenStaff } from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import { type Staff, systemActor } from '../foundation/actor.ts'
import { readWaitingWork } from '../funding/waiting.ts'
import { withheldTables } from './personal-data/data-export.ts'
import { eraseMember } from './personal-data/erasure.ts'
import { exportMember } from './personal-data/export.ts'

let made: MadeContext
let owner: pg.Client
let staff: Staff
let filled: Awaited<ReturnType<typeof fillEveryTable>>

before(async () => {
  made = await makeTestContext({ database: await freshDatabase({ isOwn: true }) })
  owner = await made.openOwner()
  filled = await fillEveryTable(made.context, 'here')
  const system = systemActor(made.context, filled.workspaceId)
  staff = await provenStaff(system, await addStaff(system))
  // Sets statistics of a large database, since with a handful of rows the planner may choose any index.
  await owner.query(`update pg_class set reltuples = 10000000, relpages = 1
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`)
})
after(() => made.close())

/** Uncleared webhooks have a partial index whose size the retention period limits. */
const cleared = ['payment_notifications', 'identity_notifications']
const tables = [...Object.keys(personalData.tables), ...Object.keys(personalData.joined)].filter(
  (table) => !cleared.includes(table),
)

function scansIn(plan: Plan): Plan[] {
  const inner = (plan.Plans ?? []).flatMap(scansIn)
  return plan['Node Type'].includes('Scan') ? [plan, ...inner] : inner
}

/** The columns of the index condition. */
const askedBy = (scan: Plan): string[] =>
  [...(scan['Index Cond'] ?? '').matchAll(/(\w+) = /g)].map(([, column = '']) => column)

/** Finds scans that read more of a table than the rows of one member. */
async function tooWide(work: () => Promise<unknown>): Promise<{ asked: Set<string>; wide: string[] }> {
  const isMeant = (text: string) => /^\s*(select|update|delete|declare)\s/.test(text) && !text.includes('set_config')
  const plans = await plansWithoutScans({ programUrl: made.programUrl, workspaceId: filled.workspaceId, isMeant }, work)
  const scans = plans.flatMap(scansIn).filter((scan) => tables.includes(scan['Relation Name'] ?? ''))
  const wide = scans.filter((scan) => askedBy(scan).every((column) => column === 'workspace_id'))
  return {
    asked: new Set(scans.map((scan) => scan['Relation Name'] ?? '')),
    wide: wide.map((scan) => `${scan['Relation Name']}: ${scan['Node Type']} by ${scan['Index Cond']}`),
  }
}

test("finds the counts of the desk's menu by state, without reading whole tables", async () => {
  const { asked, wide } = await tooWide(() => readWaitingWork(staff))
  // Open payment exceptions have a partial index.
  assert.deepEqual(
    wide.filter((scan) => !scan.startsWith('payment_cases: Index')),
    [],
  )
  for (const table of ['balance_transactions', 'documents', 'deposit_orders', 'payout_orders'])
    assert.ok(asked.has(table), table)
})

describe('the rows of one member in every table', () => {
  test('are found by an index for an export', async () => {
    const { asked, wide } = await tooWide(() => exportMember(staff, filled.memberId, personalData))
    assert.deepEqual(wide, [])
    assert.deepEqual(
      tables.filter((table) => !(table in withheldTables) && !asked.has(table)),
      [],
    )
  })

  test('are found by an index for an erasure', async () => {
    const { memberId } = filled
    await owner.query(
      `update balance_transactions set state = 'cancelled' where member_id = $1 and state = 'pending'`,
      [memberId],
    )
    await owner.query(`update account_openings set state = 'not_executed' where member_id = $1`, [memberId])
    await closePayments(owner, memberId)
    // More rows than one delete removes.
    await owner.query(
      `insert into trade_deals (workspace_id, account_id, member_id, deal_id, order_id, position_id, is_trade, cmd, entry, symbol,
         volume, price, open_price, sl, tp, profit, swap, commission, fee, at, opened_at, state, reason, comment)
       select workspace_id, account_id, member_id, number, order_id, position_id, is_trade, cmd, entry, symbol,
         volume, price, open_price, sl, tp, profit, swap, commission, fee, at, opened_at, state, reason, comment
       from (select * from trade_deals where member_id = $1 limit 1) as one, generate_series(1, 20001) as number`,
      [memberId],
    )
    const { rows } = await owner.query('select customer_number from members where member_id = $1', [memberId])
    const why = { reason: 'Asked for it', customer_number: rows[0].customer_number }
    const { asked, wide } = await tooWide(() => eraseMember(staff, memberId, why, personalData))
    assert.deepEqual(wide, [])
    const left = await owner.query('select from trade_deals where member_id = $1 limit 1', [memberId])
    assert.equal(left.rowCount, 0)
    const endings = [
      ...Object.entries(personalData.tables),
      ...Object.entries(personalData.joined).map(([table, { ending }]) => [table, ending] as const),
    ]
    const touched = endings.filter(([, { do: what }]) => what === 'remove' || what === 'blank')
    assert.deepEqual(
      touched.map(([table]) => table).filter((table) => !asked.has(table)),
      [],
    )
  })

  test('are found by an index when the details in the logs are erased', async () => {
    const program = new pg.Client({ connectionString: made.programUrl })
    await program.connect()
    await program.query('begin')
    await program.query(
      `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', 'system', true),
         set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
      [filled.workspaceId],
    )
    await program.query(`select erase_logged_details($1)`, [filled.memberId])
    const read = await program.query<{ table: string; rows: number }>(
      `select relname as table, (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
       where relname in ('audit_log', 'transaction_events')`,
    )
    await program.query('rollback')
    await program.end()
    for (const { table, rows } of read.rows) {
      const own = await owner.query(`select count(*)::int as rows from ${table} where member_id = $1`, [
        filled.memberId,
      ])
      assert.ok(rows > 0 && rows <= own.rows[0].rows, `${table}: ${rows} of ${own.rows[0].rows}`)
    }
    assert.equal(read.rows.length, 2)
  })
})
