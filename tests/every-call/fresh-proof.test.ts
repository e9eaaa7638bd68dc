/**
 * An unattended or stolen session of staff must not suffice for what pays, lets in, or decides what members are asked and
 * shown. The calls come from the router, so a new one is here or asks for no proof.
 */

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { callerOf } from '../fixtures/caller.ts'
import { openTradingFixture, type TradingFixture } from '../fixtures/trading/trading-fixture.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { sendValidRequest, validRequestOf } from './valid-requests/send.ts'
import type { Fixture } from './valid-requests/valid-request.ts'

/** The calls that ask for a fresh proof, in the form of each call's valid request. */
const asking: Record<string, string[]> = {
  'credits, debits or pays, or gives an account away': [
    'account-differences/:id/decide',
    'accounts/:id/owner',
    'deposits/:id/approve',
    'deposits/:id/outcome',
    'payment-cases/:id/decide',
    'withdrawals/:id/approve',
    'withdrawals/:id/outcome',
    'withdrawals/:id/paid',
    'withdrawals/:id/pay-by-provider',
    'withdrawals/:id/payout-failed',
  ],
  'decides what members are asked and shown': [
    'file-categories/:id/archive',
    'file-categories/:id/change',
    'file-categories/add',
    'file-categories/order',
    'forms/:id/archive',
    'forms/:id/change',
    'forms/:id/publish',
    'forms/add',
    'kyc-categories/:id/change',
    'kyc-categories/add',
    'platforms/:id/downloads',
    'providers/:id/logo',
    'request-types/:id/archive',
    'request-types/:id/change',
    'request-types/add',
    'terms/:id/publish',
    'terms/:id/retire',
    'workspace/logo',
    'workspace/vendor-logo',
  ],
  'lets people in, or gives their data or rights away': [
    'members/:id/details',
    'members/:id/erase',
    'members/:id/export',
    'members/:id/permissions',
    'members/:id/referrer',
    'members/:id/reset-second-factor',
    'members/:id/type',
    'members/:id/unlock',
    'staff/:id/reset-second-factor',
    'staff/:id/role',
    'staff/:id/unlock',
    'staff/invite',
  ],
  'changes their own factors': [
    'security/passkeys/add',
    'security/passkeys/remove',
    'security/passkeys/start',
    'security/recovery-codes/renew',
    'security/totp/confirm',
    'security/totp/remove',
    'security/totp/start',
  ],
  'decides with what and whom the brokerage works': [
    'company-bank-accounts/:id/archive',
    'company-bank-accounts/:id/change',
    'company-bank-accounts/add',
    'identity-vendors/change',
    'platforms/:id/change',
    'platforms/:id/connection',
    'providers/:id/connection',
    'providers/:id/offer',
  ],
}

let setup: TradingFixture
let app: FastifyInstance
let owner: pg.Client
let fixture: Fixture
let routes: LiveRoute[]
before(async () => {
  setup = await openTradingFixture()
  const opened = await openWithRoutes(setup.context)
  app = opened.app
  routes = opened.routes.filter(({ call, method }) => method === 'POST' && call?.access === 'staff')
  owner = await setup.openOwner()
  fixture = { setup, caller: callerOf(app), owner }
})
after(async () => {
  await app.close()
  await setup.close()
})

it('exactly the listed calls of staff ask for a proof of the last 15 minutes', async () => {
  const asked: string[] = []
  for (const route of routes) {
    await owner.query('delete from rate_limits')
    const request = await validRequestOf(route)?.(fixture)
    assert.ok(request, route.name)
    await owner.query(`update sessions set proven_at = proven_at - interval '16 minutes'`)
    const { status, body } = await sendValidRequest(fixture.caller, route, request)
    if (body.code === 'proof_required') asked.push(route.url.replace('/desk/api/', ''))
    else assert.ok(status < 500, route.name)
  }
  assert.deepEqual(asked.sort(), Object.values(asking).flat().sort())
})
