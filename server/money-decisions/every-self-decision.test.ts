/**
 * Staff give nothing to themselves. The calls come from the router, so a new call about a member either refuses its own
 * staff member or is listed here with the reason.
 */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type LiveRoute, openWithRoutes } from '../../tests/every-call/routes.ts'
import { sendValidRequest, validRequestOf } from '../../tests/every-call/valid-requests/send.ts'
import { enterStaff, type Fixture, type Person } from '../../tests/every-call/valid-requests/valid-request.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { openTestSession } from '../../tests/fixtures/workspaces.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'

/** What staff may do to themselves as members, in the form of each call's valid request. */
const givesNothing: Record<string, string[]> = {
  'takes something away': [
    '/desk/api/accounts/:id/access',
    '/desk/api/documents/:id/reject',
    '/desk/api/documents/:id/unverify',
    '/desk/api/members/:id/documents/request',
    '/desk/api/members/:id/permissions',
    '/desk/api/members/:id/sessions/end',
    '/desk/api/members/:id/sessions/end-all',
    '/desk/api/members/:id/revoke-invitation',
    '/desk/api/requests/:id/status',
  ],
  'the member can have it without staff': [
    '/desk/api/members/:id/export',
    '/desk/api/members/:id/reset-link',
    '/desk/api/members/:id/resend-invitation',
    '/desk/api/members/invite',
  ],
  'decides nothing': [
    '/desk/api/mails/:id/leave',
    '/desk/api/mails/:id/try-again',
    '/desk/api/mails/try-all-again',
    '/desk/api/requests/:id/assign',
    '/desk/api/requests/:id/comment',
    '/desk/api/tickets/:id/assign',
    '/desk/api/tickets/:id/attach',
    '/desk/api/tickets/:id/change',
    '/desk/api/tickets/:id/merge',
    '/desk/api/tickets/:id/reply',
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
  routes = opened.routes.filter(
    ({ call, method, facts }) => method === 'POST' && call?.access === 'staff' && !call.decides && facts.audit,
  )
  owner = await setup.openOwner()
  fixture = { setup, caller: callerOf(app), owner }
})
after(async () => {
  await app.close()
  await setup.close()
})

const mark = 'former_address'
const marked = new Set<string>()

/** Each member had the address of this staff member before, so a request about any of them concerns themselves. */
async function markMembers({ email }: Person): Promise<void> {
  const { system } = setup
  await inTransaction(system, async (tx) => {
    const members = await tx.selectFrom('members').where(here).select('member_id').execute()
    for (const { member_id: id } of members.filter(({ member_id }) => !marked.has(member_id))) {
      const entry = { action: 'member.details-changed', subject: { kind: mark, id }, memberId: id, before: { email } }
      await audit(tx, system, entry)
      marked.add(id)
    }
  })
}

const newestEntry = async (): Promise<string> =>
  (await owner.query('select audit_id from audit_log order by audit_id desc limit 1')).rows[0].audit_id

async function isAboutMember(since: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    'select from audit_log where audit_id > $1 and member_id is not null and subject_kind <> $2 limit 1',
    [since, mark],
  )
  return rowCount !== 0
}

describe('every call of staff about a member', () => {
  it('is refused for the staff member themselves, or gives them nothing', async () => {
    const given: string[] = []
    const refused: string[] = []
    const self = await enterStaff(fixture)
    for (const route of routes) {
      await owner.query('delete from rate_limits')
      const request = await validRequestOf(route)?.(fixture)
      assert.ok(request, route.name)
      await markMembers(self)
      const since = await newestEntry()
      const { token } = await openTestSession(setup.system, { kind: 'staff', id: self.id })
      const { status, body } = await sendValidRequest(fixture.caller, route, { ...request, token })
      if (status === 403 && body.error === deskTexts.selfDecision) refused.push(route.url)
      else if (await isAboutMember(since)) given.push(route.url)
    }
    assert.deepEqual(given.sort(), Object.values(givesNothing).flat().sort())
    const ofMember = ['type', 'referrer', 'lock', 'unlock'].map((name) => `members/:id/${name}`)
    for (const path of [...ofMember, 'documents/:id/verify']) assert.ok(refused.includes(`/desk/api/${path}`), path)
  })
})
