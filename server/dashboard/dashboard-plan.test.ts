import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { statementsOf } from '../../tests/fixtures/database/rows-read.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { Member } from '../foundation/actor.ts'
import { readDashboardOf } from './queries.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/** One generic plan serves members with one transaction and with very many. */
describe('the plan of a dashboard', () => {
  const sizes = [1, 20_000, ...Array.from({ length: 20 }, () => 50)]
  let made: MadeContext
  let owner: pg.Client
  const members: Member[] = []

  before(async () => {
    made = await makeTestContext()
    const system = await addWorkspace(made.context)
    const platformId = await addPlatform(system)
    owner = await made.openOwner()
    await owner.query('set session_replication_role = replica')
    for (const [at, size] of sizes.entries()) {
      const { memberId } = await addMember(system)
      const accountId = await addAccount(system, { memberId, platformId, platform_login: String(70_000 + at) })
      await owner.query(
        `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency,
           state, source, payment_method, platform_ticket, created_at)
         select $1, gen_random_uuid(), $4::bigint * 1000000 + n, $2, $3, 'deposit', 2.50, 'USD', 'approved', 'client', 'manual',
           ($4::bigint * 1000000 + n)::text, now() - n * interval '1 minute'
         from generate_series(1, $5::int) n`,
        [system.workspaceId, memberId, accountId, at + 1, size],
      )
      members.push(await memberActor(system, memberId))
    }
    await owner.query('set session_replication_role = origin')
  })
  after(() => made.close())

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

  async function explain({ workspaceId, memberId }: Member, text: string): Promise<Plan[]> {
    const program = new pg.Client({ connectionString: made.programUrl })
    await program.connect()
    try {
      await program.query(
        `select set_config('atrium.workspace_id', $1, false), set_config('atrium.actor_kind', 'member', false),
           set_config('atrium.member_id', $2, false), set_config('enable_bitmapscan', 'off', false)`,
        [workspaceId, memberId],
      )
      const { rows } = await program.query(`explain (generic_plan, format json) ${text}`)
      return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    } finally {
      await program.end()
    }
  }

  it("reads the member's transactions only, once, and sums them before it joins accounts", async () => {
    const [member] = members
    assert.ok(member)
    await owner.query('analyze')
    for (const from of [undefined, 0]) {
      const asked = await statementsOf(() => readDashboardOf(member, from))
      const text = asked.map((one) => one.text).find((one) => one.includes('balance_transactions')) ?? ''
      const nodes = await explain(member, text)
      const scans = nodes.filter((node) => node['Relation Name'] === 'balance_transactions')
      assert.equal(scans.length, 1)
      assert.match(scans[0]?.['Index Cond'] ?? '', /member_id = /)
      const summed = nodes
        .filter((node) => /Aggregate/.test(node['Node Type']))
        .map(nodesOf)
        .filter((below) => below.some((node) => node === scans[0]))
      const isJoined = (below: Plan[]) => below.some((node) => node['Relation Name'] === 'trading_accounts')
      assert.ok(summed.some((below) => !isJoined(below)))
    }
  })

  it('sums the transactions of every member', async () => {
    for (const [at, member] of members.slice(0, 3).entries()) {
      const { currencies } = await readDashboardOf(member, undefined)
      const count = sizes[at] ?? 0
      const approved = currencies.find(({ currency }) => currency === 'USD')?.deposits.approved
      assert.deepEqual(approved, { total: (count * 2.5).toFixed(2), count })
    }
  })
})
