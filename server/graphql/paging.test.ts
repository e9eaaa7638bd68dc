import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { GraphQLResolveInfo } from 'graphql'
import { sql } from 'kysely'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../foundation/actor.ts'
import { countTickets, filterOf, listTickets } from '../tickets/queries.ts'
import { makeContext } from './context.ts'
import { readCounted } from './paging.ts'

let made: MadeContext
let system: System
let member: Member

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
  member = await memberActor(system, (await addMember(system)).memberId)
  await addTicket(member)
})
after(() => made.close())

test("a member's page and its count are of one moment", async () => {
  const owner = await made.openOwner()
  await owner.query('select pg_advisory_lock(8)')
  const context = makeContext(member)
  const filter = filterOf({}, member.memberId)
  assert.ok(filter)
  const info = { fieldName: 'tickets', path: { key: 'tickets' } } as unknown as GraphQLResolveInfo
  const reading = readCounted(context, info, true, {
    async rows(tx) {
      const page = listTickets(tx, member, filter, { limit: 15, offset: 0 })
      // Waits between the page and its count.
      await sql`select pg_advisory_xact_lock(8)`.execute(tx)
      return page
    },
    count: (tx) => countTickets(tx, member, filter),
  })
  await untilWaiting(owner, 1)
  await addTicket(member)
  await owner.query('select pg_advisory_unlock(8)')
  assert.equal((await reading).length, 1)
  assert.deepEqual(context.counts, { countTickets: 1 })
})
