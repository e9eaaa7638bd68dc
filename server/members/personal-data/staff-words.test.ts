// spec: DK members
/**
 * A member's data export holds what staff wrote to the member, and nothing that the desk promises to hide. The calls come
 * from the router, so the words of a new one are tested too.
 */

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type LiveRoute, openWithRoutes } from '../../../tests/every-call/routes.ts'
import { textFieldsOf, type Way, withText } from '../../../tests/every-call/text-fields.ts'
import { sendValidRequest, validRequestOf } from '../../../tests/every-call/valid-requests/send.ts'
import type { Fixture } from '../../../tests/every-call/valid-requests/valid-request.ts'
import { callerOf } from '../../../tests/fixtures/caller.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import { openTradingFixture, type TradingFixture } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { personalData } from '../../domains.ts'
import { reading } from '../../foundation/database/database.ts'
import { describeMember } from '../member-page.ts'
import { exportMember } from './export.ts'

/** The words that the member reads in the portal. */
const forTheMember = [
  '/desk/api/deposits/:id/reject note',
  '/desk/api/documents/:id/reject reason',
  '/desk/api/documents/:id/unverify reason',
  '/desk/api/members/:id/documents/request note',
  '/desk/api/requests/:id/comment comment',
  '/desk/api/requests/:id/status comment',
  '/desk/api/tickets/:id/reply content',
  '/desk/api/withdrawals/:id/payout-failed note',
  '/desk/api/withdrawals/:id/reject note',
]

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

const isOfStaff = (way: Way) => ['reason', 'note', 'comment', 'content'].includes(String(way.at(-1)))

/** Sends each text in a request of its own, and returns the name of each by its words. */
async function writeEverywhere(): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  for (const route of routes)
    for (const way of route.call ? textFieldsOf(route.call).filter(isOfStaff) : []) {
      await owner.query('delete from rate_limits')
      const request = await validRequestOf(route)?.(fixture)
      assert.ok(request, route.name)
      const words = `canary${written.size}x`
      const body = withText(request.body ?? {}, way, words) as object
      const { status, raw } = await sendValidRequest(fixture.caller, route, { ...request, body })
      assert.equal(status, 200, `${route.name}: ${raw}`)
      written.set(words, `${route.url} ${way.join('.')}`)
    }
  return written
}

it('a data export holds the words of staff to the member, and none that are for staff only', async () => {
  const written = await writeEverywhere()
  const { system } = setup
  const members = await reading(system, (tx) => tx.selectFrom('members').where(here).select('member_id').execute())
  const found = new Set<string>()
  for (const { member_id } of members) {
    const exported = await exportMember(system, member_id, personalData)
    const text = JSON.stringify(exported) + describeMember(exported)
    for (const [words, name] of written) if (text.includes(words)) found.add(name)
  }
  assert.deepEqual([...found].sort(), forTheMember)
})
