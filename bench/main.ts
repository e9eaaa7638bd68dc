import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { hashPassword } from '../server/sessions/password.ts'
import { openSession } from '../server/sessions/session.ts'
import { findWorkspace } from '../server/workspaces/workspace.ts'
import { measureAgainstSql } from './against-sql.ts'
import { fillBrokerage, size } from './fill.ts'
import { listen, onStage } from './stage.ts'

/**
 * `npm run bench`: what a member's browser asks for when it opens the transactions and the accounts, against the same SQL
 * without us.
 */
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 6_000)

const transactions = `query { balance_transactions(limit: 15, page: 1, withCount: true) {
  _id ticket type amount status state payment_method platform_ticket created_at currency
  trading_account { _id platform_login currency live_account trading_platform { type } } } }`

const overview = `query { current_member { _id accounts(sync: false) {
  _id platform_login platform_type leverage group balance equity balance_as_of balance_is_live live_account currency status
  country country_alpha2 city enable_read_only archived deleted
  trading_platform { _id name type } trade_info { floating_pnl } } } }`

await onStage(async ({ ground, ownerUrl }) => {
  console.log(`  Filling ${size.transactions} transactions and ${size.accounts} accounts of ${size.members} members`)
  const { memberIds } = await fillBrokerage(ownerUrl, await hashPassword('Bench-2026'))
  const app = await buildApp(ground)
  const url = await listen(app)
  const system = (await findWorkspace(ground, undefined)) ?? systemActor(ground, '')
  const device = { address: null, userAgent: 'bench' }
  const tokens = await inTransaction(system, async (tx) => {
    const opened = []
    for (const id of memberIds) opened.push((await openSession(tx, system, { kind: 'member', id }, device)).token)
    return opened
  })
  const asked = { url, ownerUrl, pool: ground.database.pool, memberIds, tokens, requests }
  await measureAgainstSql({ ...asked, name: 'GET /graph, balance_transactions', document: transactions })
  await measureAgainstSql({ ...asked, name: 'GET /graph, accounts overview', document: overview })
  await app.close()
})
