import pg from 'pg'
import { readConfig } from '../../server/config.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { migrate } from '../../server/foundation/database/migrate.ts'
import { hashPassword } from '../../server/sessions/passwords/password.ts'
import { openSession } from '../../server/sessions/session.ts'
import { prepare } from '../../server/start.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { type Person, password } from '../load/polling-members.ts'

export type Brokerage = { subdomain: string; isDefault?: boolean; peopleCount: number }

/** Members with four accounts and some transactions each; one deposit of each awaits payment. */
export async function fillPeople(
  databaseUrl: string,
  folder: string,
  brokerages: readonly Brokerage[],
): Promise<Person[][]> {
  await migrate(databaseUrl)
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: databaseUrl, ATRIUM_DATA: folder })
  const { context, close } = await prepare(config)
  try {
    const filled: Person[][] = []
    for (const { peopleCount, ...brokerage } of brokerages) {
      const system = await addWorkspace(context, brokerage)
      const platformId = await addPlatform(system)
      const providerId = await addProvider(system, 'safecharge', {})
      await fillRows(databaseUrl, system, { platformId, providerId, peopleCount })
      filled.push(await openSessions(system))
    }
    return filled
  } finally {
    await close()
  }
}

type Filled = { platformId: string; providerId: string; peopleCount: number }

async function fillRows(
  databaseUrl: string,
  system: System,
  { platformId, providerId, peopleCount }: Filled,
): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', $2, now()
     from generate_series(1, $3::int) n`,
    [system.workspaceId, await hashPassword(password), peopleCount],
  )
  await owner.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, balance, created_at)
     select $1, gen_random_uuid(), member_id, $2, (700000 + row_number() over ())::text, n < 4, 'real', 100, 'USD', 1000, now()
     from members cross join generate_series(1, 4) n where workspace_id = $1`,
    [system.workspaceId, platformId],
  )
  await owner.query(
    `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
       source, payment_method, comment, platform_ticket, created_at)
     select $1, gen_random_uuid(), 1000 + row_number() over (), member_id, account_id, (array['deposit', 'withdrawal'])[1 + n % 2],
       (1 + n % 9000)::numeric / 100, 'USD', 'approved', 'client', 'manual', 'Transfer ' || n, row_number() over (), now() - n * interval '1 minute'
     from trading_accounts cross join generate_series(1, 10) n where workspace_id = $1 and live_account`,
    [system.workspaceId],
  )
  // No provider knows these orders, and no job queries them before the bench ends.
  await owner.query(
    `with transaction as (
       insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
         source, payment_method, destination, created_at)
       select $1, gen_random_uuid(), 5000000 + row_number() over (), member_id, account_id, 'deposit', 250, 'USD', 'pending', 'client',
         'psp:safecharge', 'psp:safecharge', now()
       from (select distinct on (member_id) member_id, account_id from trading_accounts where workspace_id = $1 and live_account) one
       returning workspace_id, transaction_id, member_id, account_id, ticket)
     insert into deposit_orders (workspace_id, order_id, member_id, account_id, provider_id, transaction_id, attempt, amount, fee,
       charge, currency, state, next_look_at, expires_at, created_at)
     select workspace_id, gen_random_uuid(), member_id, account_id, $2, transaction_id, 'bench-' || ticket, 250, 0, 250, 'USD',
       'created', now() + interval '1 day', now() + interval '1 day', now() from transaction`,
    [system.workspaceId, providerId],
  )
  await owner.query(`update deposit_orders set state = 'handed_over', hand_off = '{}' where workspace_id = $1`, [
    system.workspaceId,
  ])
  await owner.query('analyze')
  await owner.end()
}

async function openSessions(system: System): Promise<Person[]> {
  const members = await inTransaction(system, (tx) =>
    tx
      .selectFrom('members')
      .innerJoin('deposit_orders', (join) =>
        join
          .onRef('deposit_orders.workspace_id', '=', 'members.workspace_id')
          .onRef('deposit_orders.member_id', '=', 'members.member_id'),
      )
      .select(['members.member_id', 'members.email', 'deposit_orders.order_id'])
      .where('members.workspace_id', '=', system.workspaceId)
      .execute(),
  )
  return inTransaction(system, async (tx) => {
    const people: Person[] = []
    for (const [index, { member_id: id, email, order_id: order }] of members.entries()) {
      const { token } = await openSession(tx, system, { kind: 'member', id }, { address: null, userAgent: 'bench' })
      people.push({ token, email: email ?? '', order, isActive: index % 2 === 0, waitsForDeposit: index % 10 === 0 })
    }
    return people
  })
}
