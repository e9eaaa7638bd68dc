import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { statementsOf } from '../../tests/fixtures/database/rows-read.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { countTransactions, listTransactions, type TransactionFilter } from './queries.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/** One generic plan serves every member (decision 0069), so it must suit members with one row and with very many. */
describe('the generic plan of a list of transactions', () => {
  const sizes = [1, 1_000, 20_000, ...Array.from({ length: 40 }, () => 50)]
  let made: MadeContext
  let system: System
  let owner: pg.Client
  let members: Member[]
  let accountId: string

  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context, { isDefault: true })
    owner = await made.openOwner()
    const platformId = await addPlatform(system)
    members = []
    for (const [at, size] of sizes.entries()) {
      const { memberId } = await addMember(system)
      accountId = await addAccount(system, { memberId, platformId, platform_login: String(70_000 + at) })
      await owner.query('set session_replication_role = replica')
      await owner.query(
        `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency,
           state, source, payment_method, destination, comment, platform_ticket, rejection_reason, created_at)
         select $1, gen_random_uuid(), $4::bigint * 1000000 + n, $2, $3, (array['deposit', 'withdrawal'])[1 + n % 2],
           (1 + n % 900)::numeric, 'USD', (array['approved', 'pending', 'rejected'])[1 + n % 3], 'client', 'manual', 'Bank',
           'Transfer', ($4::bigint * 1000000 + n)::text, 'other', now() - n * interval '1 minute'
         from generate_series(1, $5::int) n`,
        [system.workspaceId, memberId, accountId, at + 1, size],
      )
      await owner.query('set session_replication_role = origin')
      members.push(await memberActor(system, memberId))
    }
  })
  after(() => made.close())

  const now = Date.now()
  const filters: Record<string, TransactionFilter> = {
    'no filter': {},
    'a type': { type: 'deposit' },
    'a state': { status: 'pending' },
    'an amount': { amount: '12' },
    'a destination': { destination: 'Bank' },
    'a month': { createdFrom: now - 30 * 86_400_000, createdTo: now },
    'an account number': { accountNumber: '70001' },
    'live accounts': { isLive: true },
  }

  async function plansOf(member: Member, filter: TransactionFilter): Promise<{ page: Plan; count: Plan }> {
    const page = { limit: 15, offset: 15 }
    const asked = await statementsOf(() =>
      reading(member, (tx) =>
        Promise.all([listTransactions(tx, member, filter, page), countTransactions(tx, member, filter)]),
      ),
    )
    const [listed, counted] = asked.filter(({ text }) => /balance_transactions/.test(text))
    return { page: await explain(member, listed?.text ?? ''), count: await explain(member, counted?.text ?? '') }
  }

  async function explain({ workspaceId, memberId }: Member, text: string): Promise<Plan> {
    const program = new pg.Client({ connectionString: made.programUrl })
    await program.connect()
    try {
      await program.query(
        `select set_config('atrium.workspace_id', $1, false), set_config('atrium.actor_kind', 'member', false),
           set_config('atrium.member_id', $2, false), set_config('enable_bitmapscan', 'off', false)`,
        [workspaceId, memberId],
      )
      // Without values, like a cached generic plan.
      const { rows } = await program.query(`explain (generic_plan, format json) ${text}`)
      return rows[0]['QUERY PLAN'][0].Plan
    } finally {
      await program.end()
    }
  }

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

  const scansOf = (plan: Plan): Plan[] =>
    nodesOf(plan).filter(
      (node) => node['Relation Name'] === 'balance_transactions' || /^Bitmap Index/.test(node['Node Type']),
    )

  it("reads in the list's order before the table has statistics", async () => {
    const { page } = await plansOf(members[0] as Member, {})
    assert.deepEqual(
      scansOf(page).map((node) => node['Node Type']),
      ['Index Scan'],
    )
  })

  it("reads only the member's rows, in the list's order where most of them are shown", async () => {
    await owner.query('analyze')
    for (const [name, filter] of Object.entries(filters)) {
      const { page, count } = await plansOf(members[0] as Member, filter)
      const scans = [...scansOf(page), ...scansOf(count)].filter((node) => node['Node Type'] !== 'Bitmap Heap Scan')
      assert.ok(scans.length >= 2, name)
      // By account: those of the member that the filter names.
      const own = ['an account number', 'live accounts'].includes(name)
        ? /member_id = |account_id = trading_accounts/
        : /member_id = /
      for (const scan of scans) assert.match(scan['Index Cond'] ?? '', own, `${name}: ${scan['Node Type']}`)
      if (['no filter', 'a type', 'a state'].includes(name))
        assert.deepEqual(
          scansOf(page).map((node) => node['Node Type']),
          ['Index Scan'],
          name,
        )
    }
  })

  it('counts in the index alone', async () => {
    await owner.query('vacuum analyze balance_transactions')
    for (const filter of [{}, { status: 'pending' }, { createdFrom: now - 30 * 86_400_000, createdTo: now }]) {
      const { count } = await plansOf(members[0] as Member, filter)
      assert.deepEqual(
        scansOf(count).map((node) => node['Node Type']),
        ['Index Only Scan'],
      )
    }
  })

  it("returns each member's own rows", async () => {
    for (const [at, member] of members.slice(0, 4).entries()) {
      const [rows, count] = await reading(member, (tx) =>
        Promise.all([listTransactions(tx, member, {}, { limit: 15, offset: 0 }), countTransactions(tx, member, {})]),
      )
      assert.deepEqual([rows.length, count], [Math.min(15, sizes[at] ?? 0), sizes[at]])
    }
  })
})
