/**
 * A call that writes while its member is being erased must wait and be refused, since nothing would ever delete what it wrote. The
 * calls come from the router, so that new ones are tested too.
 */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { eventually } from '../../../tests/doubles/child-server.ts'
import { contractCalls } from '../../../tests/every-call/contract-calls.ts'
import { type LiveRoute, openWithRoutes } from '../../../tests/every-call/routes.ts'
import { sendValidRequest, validRequestOf } from '../../../tests/every-call/valid-requests/send.ts'
import type { Fixture, ValidRequest } from '../../../tests/every-call/valid-requests/valid-request.ts'
import { type Answered, type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import { addAccount } from '../../../tests/fixtures/trading/platforms.ts'
import { dealOf } from '../../../tests/fixtures/trading/trade-history.ts'
import { openTradingFixture, type TradingFixture } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { countWaiting, untilWaiting } from '../../../tests/fixtures/waiting.ts'
import { addMember, memberActor } from '../../../tests/fixtures/workspaces.ts'
import { personalData } from '../../domains.ts'
import type { Actor, Member } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { Refusal } from '../../foundation/errors.ts'
import { notify } from '../../notifications/notify.ts'
import { keepDeals } from '../../trades/deals.ts'
import { askForReading } from '../../trades/history.ts'
import { changeContacts } from '../profile.ts'
import { eraseMember } from './erasure.ts'

let setup: TradingFixture
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let watcher: pg.Client
let fixture: Fixture
let routes: LiveRoute[]

before(async () => {
  setup = await openTradingFixture()
  const opened = await openWithRoutes(setup.context)
  app = opened.app
  routes = opened.routes
  caller = callerOf(app)
  ;[owner, watcher] = await Promise.all([setup.openOwner(), setup.openOwner()])
  fixture = { setup, caller, owner }
})
after(async () => {
  await app.close()
  await setup.close()
})
beforeEach(() => owner.query('delete from rate_limits'))

/** A digest of the erased members' rows in each table; of `members` without the status. */
async function digests(): Promise<Map<string, string>> {
  const parts = Object.keys(personalData.tables).map(
    (table) => `select '${table}' as table, md5(coalesce(string_agg(said, ' ' order by said), '')) as digest
      from (select (to_jsonb(row) - 'status')::text as said from ${table} as row
        where member_id in (select member_id from members where status = 'erased')) as rows`,
  )
  const { rows } = await owner.query<{ table: string; digest: string }>({
    name: 'digests', // Planned once: that takes longer than reading the few rows.
    text: parts.join(' union all '),
  })
  return new Map(rows.map(({ table, digest }) => [table, digest]))
}

type Sent = { answered: Answered; hasWaited: boolean; changed: string[] }

/** Erases every member, so that the call concerns an erased one in any case. */
async function sendWhileErasing(route: LiveRoute, request: ValidRequest): Promise<Sent> {
  await owner.query('begin')
  await owner.query(`update members set status = 'erased'`)
  await owner.query('update sessions set ended_at = now() where member_id is not null and ended_at is null')
  const before = await digests()
  let hasAnswered = false
  const answering = sendValidRequest(caller, route, request).finally(() => {
    hasAnswered = true
  })
  await eventually(
    `${route.name} waits for a lock or answers`,
    async () => hasAnswered || (await countWaiting(watcher)) > 0,
  )
  const hasWaited = !hasAnswered
  await owner.query('commit')
  const answered = await answering
  const now = await digests()
  // Without the trigger that keeps an erased member erased.
  await owner.query('set session_replication_role = replica')
  await owner.query(`update members set status = 'active'`)
  await owner.query('set session_replication_role = origin')
  const changed = [...now.keys()].filter((table) => now.get(table) !== before.get(table)).sort()
  return { answered, hasWaited, changed }
}

async function walk(route: LiveRoute): Promise<Sent> {
  await owner.query('delete from rate_limits')
  const request = await validRequestOf(route)?.(fixture)
  assert.ok(request, `${route.name}: add a valid request to tests/every-call/valid-requests/`)
  return sendWhileErasing(route, request)
}

const callsOf = (access: string) => routes.filter(({ call, method }) => call?.access === access && method === 'POST')

/** The tables that a member's cancellation of a pending transaction changes. */
const cancelled = ['audit_log', 'balance_transactions', 'transaction_events']

describe('a call that writes while its member is being erased', () => {
  it('waits and is refused when made by a member, unless its route says why not', async () => {
    const inContract = (await contractCalls()).filter(({ access, method }) => access === 'member' && method === 'POST')
    assert.equal(callsOf('member').length, inContract.length)
    for (const route of callsOf('member')) {
      const { duringErasure, touches } = route.facts
      const { answered, hasWaited, changed } = await walk(route)
      const { raw, status, body } = answered
      const expected = duringErasure === 'pending' ? cancelled : duringErasure ? (touches ?? []) : []
      assert.deepEqual(changed, expected, `${route.name}: ${raw}`)
      if (duringErasure || touches?.length === 0) assert.notEqual(body.code, 'illegal_move', `${route.name}: ${raw}`)
      else {
        assert.ok(hasWaited, `${route.name} does not wait for the erasure: ${raw}`)
        assert.deepEqual([status, body.code], [409, 'illegal_move'], `${route.name}: ${raw}`)
      }
    }
  })

  it('changes nothing of the member when made by staff, unless its route says why', async () => {
    const [changing, expected]: [string[], string[]] = [[], []]
    for (const route of callsOf('staff')) {
      const { changed } = await walk(route)
      if (changed.length > 0) changing.push(route.name)
      if (route.facts.duringErasure) expected.push(route.name)
    }
    assert.deepEqual(changing, expected)
  })
})

type Theirs = { member: Member; why: { reason: string; customer_number: string } }

async function addTheirs(): Promise<Theirs> {
  const { memberId } = await addMember(setup.system)
  const { rows } = await owner.query('select customer_number from members where member_id = $1', [memberId])
  const why = { reason: 'Asked for it', customer_number: rows[0].customer_number }
  return { member: await memberActor(setup.system, memberId), why }
}

const endOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (problem: unknown) => (problem instanceof Refusal ? problem.message : String(problem)),
  )

const erase = ({ member, why }: Theirs) => endOf(eraseMember(setup.staff, member.memberId, why, personalData))

/** Stops the erasure at this table and continues it once the other transaction waits for it. */
async function eraseBefore(theirs: Theirs, table: string, work: () => Promise<unknown>): Promise<[string, string]> {
  await owner.query('begin')
  await owner.query(`lock table ${table} in share mode`)
  const erased = erase(theirs)
  await untilWaiting(watcher, 1)
  const worked = endOf(work())
  await untilWaiting(watcher, 2)
  await owner.query('commit')
  return [await erased, await worked]
}

/** Writes, and starts the erasure before the write is committed. */
async function eraseAfter(theirs: Theirs, actor: Actor, work: (tx: Tx) => Promise<unknown>): Promise<string> {
  let erased: Promise<string> = Promise.resolve('')
  await inTransaction(actor, async (tx) => {
    await work(tx)
    erased = erase(theirs)
    await untilWaiting(watcher, 1)
  })
  return erased
}

async function rowsIn(table: string, { member }: Theirs): Promise<number> {
  const { rows } = await owner.query(`select count(*)::int as rows from ${table} where member_id = $1`, [
    member.memberId,
  ])
  return rows[0].rows
}

const notificationTo = ({ member }: Theirs) =>
  ({
    memberId: member.memberId,
    kind: 'ticket.answered',
    dedupeKey: 'for-the-tests',
    title: 'Ticket {{number}} was answered',
    body: 'For the tests',
    details: { number: '1001' },
    target: { kind: 'ticket' },
  }) as const

describe('a concurrent write about a member', () => {
  it('is refused and leaves nothing in the profile', async () => {
    const theirs = await addTheirs()
    const work = () => changeContacts(theirs.member, { version: 1, phones: ['+35621224455'] })
    assert.deepEqual(await eraseBefore(theirs, 'member_addresses', work), ['done', deskTexts.memberErased])
    const { rows } = await owner.query('select phones from members where member_id = $1', [theirs.member.memberId])
    assert.deepEqual(rows, [{ phones: [] }])
    const { rows: entries } = await owner.query('select action from audit_log where member_id = $1', [
      theirs.member.memberId,
    ])
    assert.deepEqual(entries, [{ action: 'member.erased' }])
  })

  it('is deleted from notifications and mails when it comes before the erasure', async () => {
    const theirs = await addTheirs()
    const notification = (tx: Tx) => notify(tx, setup.system, notificationTo(theirs))
    assert.equal(await eraseAfter(theirs, setup.system, notification), 'done')
    for (const table of ['mails', 'notices', 'notice_boxes']) assert.equal(await rowsIn(table, theirs), 0, table)
  })

  it('sends no notification or mail when it comes after the erasure', async () => {
    const theirs = await addTheirs()
    const work = () => inTransaction(setup.system, (tx) => notify(tx, setup.system, notificationTo(theirs)))
    assert.deepEqual(await eraseBefore(theirs, 'mails', work), ['done', 'done'])
    for (const table of ['mails', 'notices', 'notice_boxes']) assert.equal(await rowsIn(table, theirs), 0, table)
  })

  it('is deleted from the trades when it comes before the erasure, and skipped when it comes after', async () => {
    const deals = [dealOf({ id: '136001', comment: 'For the tests' })]
    const account = async ({ member: { memberId } }: Theirs) => {
      const { platformId } = setup
      const login = String(900_000_000 + Math.floor(Math.random() * 100_000_000))
      const accountId = await addAccount(setup.system, { memberId, platformId, platform_login: login })
      return { account_id: accountId, member_id: memberId, platform_id: platformId }
    }
    const first = await addTheirs()
    const one = await account(first)
    assert.equal(await eraseAfter(first, setup.system, (tx) => keepDeals(tx, setup.system, one, deals)), 'done')
    assert.equal(await rowsIn('trade_deals', first), 0)

    const second = await addTheirs()
    const another = await account(second)
    const keep = () => inTransaction(setup.system, (tx) => keepDeals(tx, setup.system, another, deals))
    assert.deepEqual(await eraseBefore(second, 'member_addresses', keep), ['done', 'done'])
    await askForReading(setup.staff, another)
    for (const table of ['trade_deals', 'trade_histories']) assert.equal(await rowsIn(table, second), 0, table)
  })
})
