/**
 * Properties of every money decision. The calls and their decisions come from the router, so later calls are covered
 * automatically.
 */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type LiveRoute, openWithRoutes } from '../../tests/every-call/routes.ts'
import { sendValidRequest, validRequestOf } from '../../tests/every-call/valid-requests/send.ts'
import type { Fixture, ValidRequest } from '../../tests/every-call/valid-requests/valid-request.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMismatch } from '../../tests/fixtures/reconciliations.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { decideDifference } from '../account-sync/decision.ts'
import { noteDifference } from '../accounts/differences.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { moneyPolicies } from '../money-policies.ts'
import { explainMismatch, reopenMismatch } from '../reconciliation/explanation.ts'

let setup: TradingFixture
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let fixture: Fixture
let deciding: LiveRoute[]

before(async () => {
  setup = await openTradingFixture()
  const opened = await openWithRoutes(setup.context)
  app = opened.app
  deciding = opened.routes.filter(({ call }) => (call?.decides ?? []).length > 0)
  caller = callerOf(app)
  owner = await setup.openOwner()
  fixture = { setup, caller, owner }
})
after(async () => {
  await app.close()
  await setup.close()
})
beforeEach(() => owner.query('delete from rate_limits'))

async function prepare(route: LiveRoute): Promise<ValidRequest> {
  const make = validRequestOf(route)
  assert.ok(make, `${route.name}: add a valid request to tests/every-call/valid-requests/`)
  return make(fixture)
}

/** The member whose money a request concerns; null if none. */
async function concernedBy({ places }: ValidRequest): Promise<string | null> {
  const { rows } = await owner.query(
    `select member_id from balance_transactions where transaction_id = $1
     union select member_id from account_openings where opening_id = $1
     union select member_id from trading_accounts where account_id = $1
     union select o.member_id from payment_cases c join deposit_orders o using (workspace_id, order_id) where c.case_id = $1
     union select o.member_id from payment_cases c join payout_orders o using (workspace_id, payout_id) where c.case_id = $1`,
    [places?.id ?? null],
  )
  return rows[0]?.member_id ?? null
}

describe('every call that decides about money', () => {
  it("is refused for a staff member's own money, and another one may decide", async () => {
    const tried: string[] = []
    for (const route of deciding) {
      const request = await prepare(route)
      const memberId = await concernedBy(request)
      if (memberId === null) continue
      const { rows } = await owner.query('select email from members where member_id = $1', [memberId])
      const { staffId } = await addStaff(setup.system, { email: rows[0].email.toUpperCase() })
      const { token } = await openTestSession(setup.system, { kind: 'staff', id: staffId })
      const { status, body } = await sendValidRequest(caller, route, { ...request, token })
      assert.deepEqual([status, body.error], [403, moneyDecisionTexts.selfApproval], route.name)
      assert.equal((await sendValidRequest(caller, route, request)).status, 200, route.name)
      await owner.query(`update staff_users set email = $1 where staff_id = $2`, [`gone-${staffId}@x.test`, staffId])
      tried.push(...(route.call?.decides ?? []))
    }
    const others = ['account-difference.decide', 'reconciliation.explain', 'reconciliation.reopen'] // Tried below.
    const refused = Object.values(moneyPolicies).filter(({ selfApproval }) => selfApproval === 'refused')
    assert.deepEqual([...tried, ...others].sort(), refused.map(({ name }) => name).sort())
  })

  it('is refused without its right, and finds nothing in another workspace', async () => {
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    const { staffId: otherStaffId } = await addStaff(elsewhere)
    const otherStaff = await openTestSession(elsewhere, { kind: 'staff', id: otherStaffId })
    const { staffId } = await addStaff(setup.system, { role: 'compliance' })
    const { token } = await openTestSession(setup.system, { kind: 'staff', id: staffId })
    for (const route of deciding) {
      const request = await prepare(route)
      const without = await sendValidRequest(caller, route, { ...request, token })
      assert.deepEqual([without.status, without.body.code], [403, 'not_permitted'], route.name)
      const foreign = await sendValidRequest(caller, route, { ...request, token: otherStaff.token })
      assert.equal(foreign.status, 401, route.name)
    }
  })
})

describe('a staff member who is also a member', () => {
  const own = async () => staffActor(setup.system, await addStaff(setup.system, { email: setup.signIn.email }))
  const selfApproval = { code: 'not_permitted', message: moneyDecisionTexts.selfApproval }

  it('can neither explain a difference of their own account nor import an account for themselves', async () => {
    const { system, accountId, platformId, staff } = setup
    const client = await own()
    const mismatch = await addMismatch(system, { accountId })
    await assert.rejects(explainMismatch(client, mismatch, 'A bonus'), selfApproval)
    await explainMismatch(staff, mismatch, 'A bonus')
    await assert.rejects(reopenMismatch(client, mismatch), selfApproval)

    const login = '700999'
    setup.simulator.control.seedAccounts([
      { login, group: 'real\\standard-usd', name: 'Nobody', leverage: 100, balance: '90000.00' },
    ])
    const at = null
    const found = { kind: 'unknown_owner', login, accountId: null, reason: 'no_address', at } as const
    await inTransaction(system, (tx) => noteDifference(tx, system, platformId, found))
    const { difference_id, customer_number } = await reading(system, async (tx) => ({
      ...(await tx
        .selectFrom('account_differences')
        .where(here)
        .select('difference_id')
        .where('platform_login', '=', login)
        .executeTakeFirstOrThrow()),
      ...(await tx
        .selectFrom('members')
        .where(here)
        .select('customer_number')
        .where('member_id', '=', setup.member.memberId)
        .executeTakeFirstOrThrow()),
    }))
    const wanted = { decision: 'import', customer_number, account_kind: 'live' } as const
    await assert.rejects(decideDifference(client, difference_id, wanted), selfApproval)
    await decideDifference(staff, difference_id, wanted)
  })
})
