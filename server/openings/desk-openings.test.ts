// spec: DK accounts
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addOpening } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  approveDocuments,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { deskOpenings } from './desk-list.ts'
import { checkSettledOpening } from './post-settlement-check.ts'
import { recheckOpening } from './recheck.ts'
import { settleOpening } from './settle.ts'

let setup: ServedFixture
let caller: Caller
let token: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  token = await deskToken('administrator')
})
after(() => setup.close())

async function deskToken(role: string): Promise<string> {
  const { staffId } = await addStaff(setup.system, { role })
  return (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
}

type Seen = Record<string, unknown> & { _id: string; member: { _id: string; name: string } }
type Page = { openings: Seen[]; next: string | null; previous: string | null; total: number; platforms: unknown[] }
const list = async (query = '', as = token): Promise<Page> =>
  (await caller.get(`/desk/api/openings${query}`, as)).body as unknown as Page
const lookUpAgain = (id: string, as = token): Promise<Answered> =>
  caller.post(`/desk/api/openings/${id}/look-again`, {}, as)

const addCall = '/api/user/add'

/** A member whose opening got no answer from the platform. */
async function openWithoutAnswer(kind: 'drop-before' | 'execute-then-drop'): Promise<string> {
  const { memberId } = await addMember(setup.system)
  await approveDocuments(setup.system, memberId)
  const session = await openTestSession(setup.system, { kind: 'member', id: memberId })
  setup.simulator.control.addFault({ path: addCall, times: 1, kind })
  const body = {
    ...{ initial_deposit: 0, main_password: 'Tidal-Gauge-71', trading_platform: setup.platformId },
    ...{ group: 'real\\standard-usd', leverage: 100 },
  }
  const answer = await caller.post('/members/trading/open-live-account', body, session.token)
  assert.equal(answer.status, 202, answer.raw)
  return String(answer.body.opening_id)
}

function openingOf(id: string) {
  return reading(setup.system, (tx) =>
    tx.selectFrom('account_openings').where(here).selectAll().where('opening_id', '=', id).executeTakeFirstOrThrow(),
  )
}

async function processUntilEnded(id: string): Promise<string> {
  for (let round = 0; round < 40; round++) {
    const { state } = await openingOf(id)
    if (state !== 'unknown') return state
    await settleOpening(setup.system, id)
    setup.context.clock.advance(40_000)
  }
  throw new Error('The opening never ended')
}

const lookUpsOf = (id: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select(['actor_kind', 'member_id', 'after'])
      .where('action', '=', 'opening.looked-for-again')
      .where('subject_id', '=', id)
      .execute(),
  )

describe('looking for an account again', () => {
  test('finds a lost account immediately, and is audited', async () => {
    const id = await openWithoutAnswer('execute-then-drop')
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('account_openings')
        .where(here)
        .set({ next_step_at: new Date(setup.context.clock.now().getTime() + 60_000) })
        .where('opening_id', '=', id)
        .execute(),
    )
    await settleOpening(setup.system, id)
    assert.equal((await openingOf(id)).state, 'unknown', 'its next look-up is not due')
    const answer = await lookUpAgain(id)
    assert.equal(answer.status, 200, answer.raw)
    await settleOpening(setup.system, id)
    const found = await openingOf(id)
    assert.equal(found.state, 'done')
    const [entry, ...others] = await lookUpsOf(id)
    assert.deepEqual([entry?.actor_kind, entry?.member_id, others.length], ['staff', found.member_id, 0])
  })

  test('repeats the search after the opening was recorded as not opened, and shows the time', async () => {
    const id = await openWithoutAnswer('drop-before')
    assert.equal(await processUntilEnded(id), 'not_opened')
    const sent = () => setup.simulator.control.calls().filter(({ path }) => path === addCall).length
    const sentBefore = sent()
    const answer = await lookUpAgain(id)
    assert.equal(answer.status, 200, answer.raw)
    const askedAt = setup.context.clock.now().getTime()
    setup.context.clock.advance(1_000)
    await checkSettledOpening(setup.system, id)
    const row = (await list('?state=not_opened')).openings.find(({ _id }) => _id === id)
    assert.deepEqual([row?.asked_again_at, row?.looked_at], [askedAt, askedAt + 1_000])
    assert.equal(sent(), sentBefore, 'nothing is sent again')
  })

  test('ignores a second press, and searches again later', async () => {
    const id = await openWithoutAnswer('drop-before')
    const answers = await Promise.all([lookUpAgain(id), lookUpAgain(id), lookUpAgain(id)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal((await lookUpsOf(id)).length, 1)
    setup.context.clock.advance(31_000)
    await lookUpAgain(id)
    assert.equal((await lookUpsOf(id)).length, 2)
    await processUntilEnded(id)
  })

  test('is refused when the outcome is known', async () => {
    const { memberId } = await addMember(setup.system)
    const id = await addOpening(setup.system, { memberId, platformId: setup.platformId })
    const refused = await lookUpAgain(id)
    assert.deepEqual([refused.status, refused.body.code], [409, 'illegal_move'])
    assert.deepEqual(await lookUpsOf(id), [])
  })

  test('requires the right to decide about money, in the same workspace', async () => {
    const id = await openWithoutAnswer('drop-before')
    for (const role of ['viewer', 'support', 'compliance'])
      assert.equal((await lookUpAgain(id, await deskToken(role))).status, 403, role)
    const other = await addWorkspace(setup.context)
    const otherStaff = staffActor(other, await addStaff(other))
    await assert.rejects(recheckOpening(otherStaff, id), { code: 'not_found' })
    const viewer = staffActor(setup.system, await addStaff(setup.system, { role: 'viewer' }))
    await assert.rejects(recheckOpening(viewer, id), { code: 'not_permitted' })
    assert.equal((await lookUpAgain(newId())).status, 404)
    assert.deepEqual(await lookUpsOf(id), [])
    await processUntilEnded(id)
  })
})

describe('the openings of all members', () => {
  test('are filtered by member, state, kind and platform', async () => {
    const { memberId } = await addMember(setup.system, { first_name: 'Wilhelmina', customer_number: '880031' })
    const live = await addOpening(setup.system, { memberId, platformId: setup.platformId })
    const demo = await addOpening(setup.system, { memberId, platformId: setup.platformId, kind: 'demo' })
    const ids = async (query: string) => (await list(query)).openings.map(({ _id }) => _id).sort()
    const both = [live, demo].sort()
    for (const q of ['wilhel', '8800', 'WILHELMINA 880031']) assert.deepEqual(await ids(`?q=${q}`), both, q)
    assert.deepEqual(await ids('?q=wilhel&kind=demo'), [demo])
    assert.deepEqual(await ids('?q=wilhel&state=ready'), both)
    assert.deepEqual(await ids('?q=wilhel&state=done'), [])
    assert.deepEqual(await ids(`?q=wilhel&platform=${setup.platformId}`), both)
    assert.deepEqual(await ids(`?platform=${newId()}`), [])
    assert.deepEqual((await list('?q=wilhel')).platforms, [{ _id: setup.platformId, name: 'MetaTrader 5' }])
    const [row] = (await list('?q=wilhel&kind=live')).openings
    assert.deepEqual(
      [row?.member._id, row?.platform, row?.group, row?.account_id, row?.looked_at],
      [memberId, 'MetaTrader 5', 'real\\standard', null, null],
    )
  })

  test('are exported as a table without formulas, and the export is audited', async () => {
    const { memberId } = await addMember(setup.system, { first_name: '=cmd()', last_name: 'Tabled' })
    await addOpening(setup.system, { memberId, platformId: setup.platformId })
    const { status, raw } = await caller.get('/desk/api/openings/table?q=tabled', token)
    assert.equal(status, 200)
    const lines = raw.trim().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[0] ?? '', /Requested \(UTC\),Ended \(UTC\),State,Kind/)
    assert.match(lines[1] ?? '', /,ready,live,MetaTrader 5,real\\standard,100,,.*,'=cmd\(\) Tabled,/)
    const entry = await reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .where(here)
        .select('after')
        .where('action', '=', 'openings.exported')
        .executeTakeFirstOrThrow(),
    )
    assert.deepEqual(entry.after, { q: '…' })
  })

  test('show nothing of another workspace and refuse members', async () => {
    const other = await addWorkspace(setup.context)
    const { memberId } = await addMember(setup.system)
    await addOpening(setup.system, { memberId, platformId: setup.platformId })
    const otherStaff = staffActor(other, await addStaff(other))
    const { openings, total, platforms } = await deskOpenings.read(otherStaff, { limit: 25 })
    assert.deepEqual([openings, total, platforms], [[], 0, []])
    const member = await openTestSession(setup.system, { kind: 'member', id: memberId })
    assert.equal((await caller.get('/desk/api/openings', member.token)).status, 401)
  })
})
