import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  addCall,
  type Opener,
  type OpeningFixture,
  openOpeningFixture,
} from '../../tests/fixtures/trading/opening-fixture.ts'
import { comparePlatform } from '../account-sync/compare.ts'
import { decideDifference } from '../account-sync/decision.ts'
import { accountDifferences, readAccountForDesk } from '../account-sync/queries.ts'
import { domainMetrics } from '../domains.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { readOperatingMetrics } from '../metrics/operating-metrics.ts'
import { compareInQueue, compareOpening } from './comparison.ts'
import { settleOpening } from './settle.ts'

let setup: OpeningFixture
before(async () => {
  setup = await openOpeningFixture()
})
after(() => setup.close())
beforeEach(async () => {
  await setup.clear()
  setup.simulator.control.setSwitches({ altered: {} })
})

const home = {
  address_line_1: '7 Secret Street',
  city: 'Valletta',
  state: 'South',
  postcode: 'VLT 1117',
  country_code: 'MT',
}

/** A member with an address, whose account the platform may store differently. */
async function openAltered(altered: Record<string, string>) {
  const person = await setup.enter()
  await inTransaction(setup.system, (tx) =>
    tx
      .insertInto('member_addresses')
      .values({ workspace_id: setup.system.workspaceId, member_id: person.id, address_id: newId(), ...home })
      .execute(),
  )
  setup.simulator.control.setSwitches({ altered })
  const sends = setup.sends()
  const answer = await setup.openLive(person)
  assert.equal(answer.status, 200, answer.raw)
  assert.equal(setup.sends(), sends + 1)
  const { opening_id: id, state } = (await setup.openingsOf(person))[0] ?? assert.fail()
  assert.equal(state, 'done')
  return { person, id, sends: setup.sends() }
}

const loginOf = async (person: Opener) => String((await setup.accountsOf(person))[0]?.platform_login)
const differencesOf = async (person: Opener) => {
  const login = await loginOf(person)
  const { differences } = await accountDifferences.read(setup.staff, { state: 'open', limit: 100 })
  return differences.filter(({ platform_login }) => platform_login === login)
}

async function jobsOf(id: string): Promise<number> {
  const owner = await setup.openOwner()
  const { rowCount } = await owner.query(
    `select from pgboss.job where name = 'openings.compare' and data ->> 'id' = $1 and state in ('created', 'active')`,
    [id],
  )
  return rowCount ?? 0
}

test('reports nothing for an account stored as sent', async () => {
  const { person, id, sends } = await openAltered({})
  assert.equal(await jobsOf(id), 1)
  assert.equal(await compareOpening(setup.system, id), true)
  assert.deepEqual(await differencesOf(person), [])
  assert.equal(setup.sends(), sends)
})

test('reports a field that the platform dropped or changed to the desk, and the opening stays done', async () => {
  const { person, id, sends } = await openAltered({ ZipCode: '', City: 'Mdina' })
  for (const _again of [1, 2]) {
    assert.equal(await compareOpening(setup.system, id), true)
    setup.context.clock.advance(1_000)
  }
  const [found, ...others] = await differencesOf(person)
  assert.deepEqual(others, [])
  assert.deepEqual([found?.kind, found?.reason, found?.member?._id], ['fields', 'city, zip', person.id])
  assert.equal(setup.sends(), sends)
  const [account] = await setup.accountsOf(person)
  assert.deepEqual((await readAccountForDesk(setup.staff, account?.account_id ?? '')).differences, [found])
  const audited = await reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .selectAll()
      .where('subject_id', '=', found?._id ?? '')
      .execute(),
  )
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['account-difference.found'],
  )
  assert.doesNotMatch(JSON.stringify([audited, found]), /Secret Street|VLT 1117|Mdina/)
})

test('a reported field is settled by staff, and not by the account sync, which does not see it', async () => {
  const { person, id } = await openAltered({ Phone: '1', State: 'x' })
  await compareOpening(setup.system, id)
  await comparePlatform(setup.system, setup.platformId)
  const [found] = await differencesOf(person)
  assert.equal(found?.reason, 'state')
  await decideDifference(setup.staff, found?._id ?? '', { decision: 'keep' })
  assert.deepEqual(await differencesOf(person), [])
})

test('asks an unreachable platform again, without opening another account', async () => {
  const { person, id, sends } = await openAltered({ Email: 'other@example.test' })
  setup.simulator.control.addFault({ path: '/api/user/get', times: 4, kind: 'fail-before' })
  assert.equal(await compareOpening(setup.system, id), false)
  assert.deepEqual(await differencesOf(person), [])
  setup.simulator.control.clearFaults()
  await compareInQueue(setup.system, id)
  assert.equal(await jobsOf(id), 1)
  assert.deepEqual(
    (await differencesOf(person)).map(({ reason }) => reason),
    ['email'],
  )
  assert.equal(setup.sends(), sends)
})

test('also compares an account found by its tag', async () => {
  const person = await setup.enter()
  setup.simulator.control.setSwitches({ altered: { LastName: 'Other' } })
  setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
  await setup.openLive(person)
  const [opening] = await setup.openingsOf(person)
  const id = opening?.opening_id ?? ''
  assert.equal(await setup.processUntilEnded(person), 'done')
  await settleOpening(setup.system, id)
  await compareOpening(setup.system, id)
  assert.deepEqual(
    (await differencesOf(person)).map(({ reason }) => reason),
    ['lastName'],
  )
})

test('counts the discrepancies that staff must decide', async () => {
  const { id } = await openAltered({ Country: 'Nowhere' })
  const count = async () =>
    (await readOperatingMetrics(setup.context, domainMetrics)).workspaces.reduce(
      (sum, one) => sum + (one.metrics.gauges.account_differences_open ?? 0),
      0,
    )
  const before = await count()
  await compareOpening(setup.system, id)
  assert.equal(await count(), before + 1)
})
