import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { System } from '../server/foundation/actor.ts'
import { reading } from '../server/foundation/database/database.ts'
import { findViolations } from '../server/funding/ledger.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { signIns } from './harbour-markets.ts'
import { longHistory } from './history.ts'
import { seedBrokerage, seedDemo } from './seed-brokerage.ts'
import { type Simulators, startSimulators } from './simulators.ts'

const deskPage = 25

describe('the demo data of npm start', () => {
  let made: MadeContext
  let simulators: Simulators
  let system: System
  const folder = mkdtempSync(join(tmpdir(), 'atrium-demo-'))
  before(async () => {
    made = await makeTestContext()
    simulators = await startSimulators(folder, 'http://localhost:1/callbacks/payments/sdsystem')
    system = await seedBrokerage(made.context, simulators, { history: longHistory() })
  })
  after(async () => {
    await simulators.stop()
    await made.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const count = (from: ReturnType<typeof sql>): Promise<number> =>
    reading(system, async (tx) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(tx)
      return rows[0]?.count ?? 0
    })

  for (const [list, page, from] of [
    ['transactions of the member', limits.transactionsPageSize, sql`balance_transactions as row where ${ofMember()}`],
    ['notifications of the member', limits.notificationsPageSize, sql`notices as row where ${ofMember()}`],
    [
      'resolved tickets of the member',
      limits.ticketsPageSize,
      sql`tickets as row where ${ofMember()} and state = 'resolved'`,
    ],
    [
      'clients of the sales person',
      limits.clientsPageSize,
      sql`members as row where ${here()} and referred_by is not null`,
    ],
    ...(['deposit', 'withdrawal'] as const).map(
      (type) =>
        [
          `${type}s at the desk`,
          deskPage,
          sql`balance_transactions as row where ${here()} and type = ${type} and state = 'approved'`,
        ] as const,
    ),
    ['members', deskPage, sql`members as row where ${here()}`],
    ['account applications', deskPage, sql`account_openings as row where ${here()}`],
    ['documents', deskPage, sql`documents as row where ${here()}`],
    ['requests', deskPage, sql`requests as row where ${here()} and status = 'done'`],
    ['tickets', deskPage, sql`tickets as row where ${here()} and state = 'resolved'`],
    ['requests of the member', limits.requestsPageSize, sql`requests as row where ${ofMember()}`],
    ['acceptances of terms', deskPage, sql`terms_acceptances as row where ${here()}`],
    ['notifications of providers', deskPage, sql`payment_notifications as row where ${here()}`],
    ['the audit log', deskPage, sql`audit_log as row where ${here()}`],
  ] as const)
    it(`has more than a page: ${list}`, async () => {
      const rows = await count(from)
      assert.ok(rows > page, `${rows} on pages of ${page}`)
    })

  it('keeps the decision queues within one page, so that new transactions are visible', async () => {
    for (const type of ['deposit', 'withdrawal']) {
      const rows = await count(
        sql`balance_transactions as row where ${here()} and type = ${type} and state = 'pending'`,
      )
      assert.ok(rows > 2 && rows < deskPage - 5, `${rows} ${type}s`)
    }
  })

  it('has a consistent ledger that matches the platforms', async () => {
    assert.deepEqual(await findViolations(system), [])
    const missing = await count(
      sql`balance_transactions as row where ${here()} and state = 'approved' and coalesce(platform_ticket, '') = ''`,
    )
    assert.equal(missing, 0)
  })

  it('has a chart for every account', async () => {
    const poor = await count(
      sql`trading_accounts as row where ${here()} and (select count(distinct f.at::date) from account_figures f
        where f.workspace_id = row.workspace_id and f.account_id = row.account_id) < 5`,
    )
    assert.equal(poor, 0)
  })

  it('fills the charts without a gap after five days of downtime', async () => {
    made.context.clock.advance(5 * 86_400_000)
    assert.equal(await seedDemo(made.context, simulators), 'kept')
    const widest = await reading(system, async (tx) => {
      const { rows } = await sql<{ hours: number }>`
        select max(extract(epoch from coalesce(next, ${made.context.clock.now()}) - at) / 3600)::int as hours
        from (select at, lead(at) over (partition by account_id order by at) as next
          from account_figures where workspace_id = scope_workspace()) as points
        where at > ${made.context.clock.now()}::timestamptz - interval '6 days'`.execute(tx)
      return rows[0]?.hours
    })
    assert.ok(widest !== undefined && widest <= 25, `${widest} hours`)
  })

  function here() {
    return sql`row.workspace_id = scope_workspace()`
  }
  function ofMember() {
    return sql`${here()} and row.member_id = (select member_id from members
      where workspace_id = row.workspace_id and email = ${signIns.member})`
  }
})
