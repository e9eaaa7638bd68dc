// spec: DK accounts
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  addCall,
  type Opener,
  type OpeningFixture,
  openOpeningFixture,
} from '../../tests/fixtures/trading/opening-fixture.ts'
import { addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { comparePlatform } from '../account-sync/compare.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { endOpening } from './ending.ts'
import { checkSettledOpening } from './post-settlement-check.ts'

const hour = 3_600_000
const reason = 'The platform was shut down'

let setup: OpeningFixture
before(async () => {
  setup = await openOpeningFixture()
})
after(() => setup.close())
beforeEach(async () => {
  await setup.clear()
  await setup.simulator.control.up()
  await switchPlatform(true)
})

const switchPlatform = (enabled: boolean) =>
  inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .where(here)
      .set({ enabled })
      .where('platform_id', '=', setup.platformId)
      .execute(),
  )

async function deskToken(role = 'finance'): Promise<string> {
  const { staffId } = await addStaff(setup.system, { role })
  return (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
}

/** A member whose opening got no answer, and its id. */
async function openWithoutAnswer(kind: 'drop-before' | 'execute-then-drop'): Promise<[Opener, string]> {
  const person = await setup.enter()
  setup.simulator.control.addFault({ path: addCall, times: 1, kind })
  const { status, body, raw } = await setup.openLive(person)
  assert.equal(status, 202, raw)
  return [person, String(body.opening_id)]
}

const end = (id: string, token: string, body: object = { reason }) =>
  setup.caller.post(`/desk/api/openings/${id}/end`, body, token)

const entriesOf = (id: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select(['actor_kind', 'member_id', 'after'])
      .where('action', '=', 'opening.ended-by-staff')
      .where('subject_id', '=', id)
      .execute(),
  )
const stateOf = async (person: Opener) => (await setup.openingsOf(person))[0]?.state

describe('an opening that no platform will settle', () => {
  test('is ended by staff once its platform is switched off, so that the member can open another account', async () => {
    const [person, id] = await openWithoutAnswer('drop-before')
    await switchPlatform(false)
    const token = await deskToken()
    for (let times = 0; times < 2; times++) {
      const answer = await end(id, token)
      assert.equal(answer.status, 200, answer.raw)
    }
    assert.equal(await stateOf(person), 'not_opened')
    const [entry, ...others] = await entriesOf(id)
    assert.deepEqual([entry?.actor_kind, entry?.member_id, others.length], ['staff', person.id, 0])
    assert.match(JSON.stringify(entry?.after), /shut down/)
    const [mail, ...more] = await mailsTo(setup.system, person.email)
    assert.deepEqual([mail?.subject, more.length], ['Your live account was not opened', 0])
    assert.doesNotMatch(JSON.stringify(mail), /verified that no account|shut down/)
    await switchPlatform(true)
    assert.equal((await setup.openLive(person)).status, 200)
  })

  test('is ended by staff on a silent platform, after an hour and one more look-up', async () => {
    const [person, id] = await openWithoutAnswer('drop-before')
    await setup.simulator.control.down()
    const early = await end(id, await deskToken())
    assert.deepEqual([early.status, early.body.error], [409, deskTexts.openingTooEarly])
    setup.context.clock.advance(hour)
    assert.equal((await end(id, await deskToken())).status, 200)
    assert.equal(await stateOf(person), 'not_opened')
  })

  test('is not ended while the platform answers, whatever the answer', async () => {
    for (const kind of ['drop-before', 'execute-then-drop'] as const) {
      const [person, id] = await openWithoutAnswer(kind)
      setup.context.clock.advance(hour)
      const answer = await end(id, await deskToken())
      assert.deepEqual([answer.status, answer.body.error], [409, deskTexts.openingPlatformAnswers], kind)
      assert.equal(await stateOf(person), 'unknown')
      assert.deepEqual(await entriesOf(id), [])
    }
  })

  for (const [how, appear] of [
    ['the later check', (id: string) => checkSettledOpening(setup.system, id)],
    ['the account sync', () => comparePlatform(setup.system, setup.platformId)],
  ] as const)
    test(`gives the member the account that appears afterwards, found by ${how}`, async () => {
      const [person, id] = await openWithoutAnswer('execute-then-drop')
      const login = setup.onPlatform().at(-1)
      await switchPlatform(false)
      assert.equal((await end(id, await deskToken())).status, 200)
      assert.deepEqual(await setup.accountsOf(person), [])
      await switchPlatform(true)
      await appear(id)
      assert.deepEqual(
        (await setup.accountsOf(person)).map(({ platform_login }) => platform_login),
        [login],
      )
      assert.equal(await stateOf(person), 'done')
    })

  test('is not ended once the outcome is known, without a reason or the right, or in another workspace', async () => {
    const [person, id] = await openWithoutAnswer('execute-then-drop')
    await switchPlatform(false)
    const token = await deskToken()
    assert.deepEqual((await end(id, token, { reason: ' ' })).status, 422)
    for (const role of ['viewer', 'support', 'compliance'])
      assert.equal((await end(id, await deskToken(role))).status, 403, role)
    const other = await addWorkspace(setup.context)
    const otherStaff = staffActor(other, await addStaff(other))
    await assert.rejects(endOpening(otherStaff, id, { reason }), { code: 'not_found' })
    const own = await addStaff(setup.system, { email: person.email, role: 'finance' })
    await assert.rejects(endOpening(staffActor(setup.system, { ...own, role: 'finance' }), id, { reason }), {
      code: 'not_permitted',
    })
    assert.equal(await stateOf(person), 'unknown')
    await switchPlatform(true)
    assert.equal(await setup.processUntilEnded(person), 'done')
    const late = await end(id, token)
    assert.deepEqual([late.status, late.body.code, late.body.error], [409, 'illegal_move', deskTexts.outcomeKnown])
  })
})
