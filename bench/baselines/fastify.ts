/**
 * The baseline without sessions, row security and GraphQL: one route over two statements of its own. The environment gives the
 * database and whether statements are named; PostgreSQL plans a named statement once per connection.
 */

import Fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL, PORT, BASELINE_NAMED, BASELINE_CONNECTIONS } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(BASELINE_CONNECTIONS) })
const page = `select t.transaction_id as _id, t.ticket, t.type, t.amount, t.state, t.payment_method, t.platform_ticket, t.created_at,
    t.currency, a.account_id, a.platform_login, a.currency as account_currency, a.live_account, p.type as platform_type
  from balance_transactions t
  join trading_accounts a on a.workspace_id = t.workspace_id and a.account_id = t.account_id
  join trading_platforms p on p.workspace_id = a.workspace_id and p.platform_id = a.platform_id
  where t.workspace_id = $1 and t.member_id = $2 and t.state <> 'cancelled'
  order by t.created_at desc, t.transaction_id desc limit 15`
const count = `select count(*)::int as count from balance_transactions
  where workspace_id = $1 and member_id = $2 and state <> 'cancelled'`
const named = (name: string, text: string) => (BASELINE_NAMED ? { name, text } : { text })
const [pageStatement, countStatement] = [named('page', page), named('count', count)]

const app = Fastify()
app.get('/readyz', async () => 'ready')
app.get<{ Querystring: { workspace: string; member: string } }>('/transactions', async ({ query }) => {
  const values = [query.workspace, query.member]
  const [rows, counted] = await Promise.all([
    pool.query({ ...pageStatement, values }),
    pool.query({ ...countStatement, values }),
  ])
  return { data: rows.rows, count: counted.rows[0].count }
})
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
