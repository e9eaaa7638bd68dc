import pg from 'pg'
import { systemActor } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { newId } from '../../server/foundation/ids.ts'
import { openSession } from '../../server/sessions/session.ts'
import { findWorkspace } from '../../server/workspaces/workspace.ts'
import type { BenchSetup } from '../setup.ts'

export const size = { members: 5_000, accounts: 20_000, transactions: 200_000 }

/** Creates a brokerage of many members in bulk as the database's owner, since filling is not measured. */
export async function fillBrokerage(
  ownerUrl: string,
  passwordHash: string,
  transactions = size.transactions,
): Promise<{ memberIds: string[] }> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const workspace = '00000000-0000-7000-8000-000000000001'
  await fillWorkspace(client, workspace)
  await client.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', $2, now()
     from generate_series(1, $3::int) n`,
    [workspace, passwordHash, size.members],
  )
  await client.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, balance, created_at)
     select $1, gen_random_uuid(), member_id, $1, (700000 + row_number() over ())::text, n = 1, 'real', 100, 'USD', 1000, now()
     from members cross join generate_series(1, $2::int) n where workspace_id = $1`,
    [workspace, size.accounts / size.members],
  )
  await client.query(
    `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
       source, payment_method, comment, platform_ticket, created_at)
     select $1, gen_random_uuid(), 1000 + n, a.member_id, a.account_id, (array['deposit', 'withdrawal'])[1 + n % 2],
       (1 + n % 9000)::numeric / 100, 'USD', 'approved', 'client', 'manual', 'Transfer ' || n, n::text, now() - n * interval '1 minute'
     from generate_series(1, $2::int) n
     join (select account_id, member_id, row_number() over () as place from trading_accounts where workspace_id = $1 and live_account) a
       on a.place = 1 + n % $3::int`,
    [workspace, transactions, size.members],
  )
  // As autovacuum does in the first minute: counts then read the index alone.
  await client.query('vacuum analyze')
  const found = await client.query<{ id: string }>('select member_id as id from members order by member_id limit 200')
  await client.end()
  return { memberIds: found.rows.map((row) => row.id) }
}

/** Returns one session token per member. */
export async function openSessions({ context }: BenchSetup, memberIds: readonly string[]): Promise<string[]> {
  const system = (await findWorkspace(context, undefined)) ?? systemActor(context, '')
  return inTransaction(system, async (tx) => {
    const tokens = []
    for (const id of memberIds)
      tokens.push((await openSession(tx, system, { kind: 'member', id }, { address: null, userAgent: 'bench' })).token)
    return tokens
  })
}

/** Adds a desk user who may read everything, with this many sessions that passed the second factor; returns their tokens. */
export async function openDeskSessions({ context }: BenchSetup, count: number): Promise<string[]> {
  const system = (await findWorkspace(context, undefined)) ?? systemActor(context, '')
  const person = { kind: 'staff', id: newId() } as const
  const device = { address: null, userAgent: 'bench' }
  return inTransaction(system, async (tx) => {
    await tx
      .insertInto('staff_users')
      .values({
        ...{ workspace_id: system.workspaceId, staff_id: person.id, name: 'Bench Desk', email: 'desk@bench.test' },
        ...{ role: 'administrator', password_hash: 'none', created_at: context.clock.now() },
      })
      .execute()
    const tokens = []
    for (let index = 0; index < count; index += 1)
      tokens.push((await openSession(tx, system, person, device, { withFactor: true })).token)
    return tokens
  })
}

/** Creates a brokerage with one platform and no members. */
export async function fillWorkspace(owner: pg.Client, workspace: string): Promise<void> {
  const features = JSON.stringify({ accounts: true, deposits: true, balance_transactions: true })
  await owner.query(
    `insert into workspaces (workspace_id, subdomain, is_default, name, features) values ($1, 'bench', true, 'Bench', $2)`,
    [workspace, features],
  )
  await owner.query(
    `insert into trading_platforms (workspace_id, platform_id, type, name, created_at) values ($1, $1, 'mt5', 'Bench MT5', now())`,
    [workspace],
  )
}

/** Drops the indexes of the transactions and returns their definitions: rebuilding takes minutes, filling row by row an hour. */
export async function dropIndexes(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'balance_transactions'::regclass and not i.indisunique`,
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
