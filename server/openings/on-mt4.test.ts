// spec: DK accounts, OP notifications

/** Where MetaTrader 4 differs: the bridge has status words, its own password rules, and a look-up by tag. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { type Mt4Fixture, openMt4Fixture } from '../../tests/fixtures/trading/mt4-fixture.ts'
import { addMember, addStaff, approveDocuments, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { settleOpening } from './settle.ts'

let setup: Mt4Fixture
let app: FastifyInstance
let caller: Caller

before(async () => {
  setup = await openMt4Fixture()
  app = await buildApp(setup.context)
  caller = callerOf(app)
  const groups = [
    { name: 'real-usd', alias: 'Classic' },
    { name: 'demo-usd', alias: 'Classic demo' },
    { name: 'real-gone', alias: 'No longer there' },
  ]
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .set({ groups: JSON.stringify(groups) })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('platform_id', '=', setup.platformId)
      .execute(),
  )
})
after(async () => {
  await app.close()
  await setup.close()
})
beforeEach(() => setup.simulator.control.clearFaults())

const addCall = 'POST /v1/accounts'
type Person = { id: string; token: string }

async function enter(): Promise<Person> {
  const { memberId } = await addMember(setup.system)
  await approveDocuments(setup.system, memberId)
  const { token } = await openTestSession(setup.system, { kind: 'member', id: memberId })
  return { id: memberId, token }
}

const open = ({ token }: Person, kind: 'live' | 'demo', change: object = {}): Promise<Answered> => {
  const wanted = { trading_platform: setup.platformId, group: kind === 'live' ? 'real-usd' : 'demo-usd', leverage: 100 }
  const body = { initial_deposit: 0, main_password: 'TidalGauge71', ...wanted, ...change }
  return caller.post(`/members/trading/open-${kind}-account`, body, token)
}

const rowsOf = ({ id }: Person) =>
  reading(setup.system, async (tx) => ({
    accounts: await tx.selectFrom('trading_accounts').where(here).selectAll().where('member_id', '=', id).execute(),
    openings: await tx.selectFrom('account_openings').where(here).selectAll().where('member_id', '=', id).execute(),
    intents: await tx
      .selectFrom('platform_intents as intent')
      .innerJoin('balance_transactions as money', (join) =>
        join
          .onRef('money.workspace_id', '=', 'intent.workspace_id')
          .onRef('money.transaction_id', '=', 'intent.transaction_id'),
      )
      .select('intent.intent_id')
      .where('money.workspace_id', '=', setup.system.workspaceId)
      .where('money.member_id', '=', id)
      .execute(),
  }))

async function processUntilEnded(person: Person): Promise<string> {
  for (let round = 0; round < 40; round++) {
    const [opening] = (await rowsOf(person)).openings
    assert.ok(opening)
    if (!['ready', 'sending', 'unknown'].includes(opening.state)) return opening.state
    await settleOpening(setup.system, opening.opening_id)
    setup.context.clock.advance(40_000)
  }
  throw new Error('The opening never ended')
}

test('opens a live account with a password that the other platform would refuse', async () => {
  const person = await enter()
  const answer = await open(person, 'live')
  assert.equal(answer.status, 200, answer.raw)
  const [account] = (await rowsOf(person)).accounts
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  assert.equal(await link?.gateway.checkPassword(String(account?.platform_login), 'main', 'TidalGauge71'), true)
})

test('sets the investor password for the owner and the access for staff', async () => {
  const person = await enter()
  await open(person, 'live')
  const [account] = (await rowsOf(person)).accounts
  const id = String(account?.account_id)
  const path = `/members/trading-accounts/${id}/change-investor-password`
  assert.equal((await caller.post(path, { new_password: 'LooksOnly71' }, person.token)).status, 200)
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  const login = String(account?.platform_login)
  assert.equal(await link?.gateway.checkPassword(login, 'investor', 'LooksOnly71'), true)
  const { staffId } = await addStaff(setup.system)
  const staff = await openTestSession(setup.system, { kind: 'staff', id: staffId })
  for (const [access, trades] of [
    ['read_only', false],
    ['full', true],
  ] as const) {
    const answer = await caller.post(`/desk/api/accounts/${id}/access`, { access, reason: 'Under review' }, staff.token)
    assert.deepEqual([answer.status, (await link?.gateway.readAccount(login))?.tradingAllowed], [200, trades])
  }
})

test('credits the initial balance of a demo account once, also after a lost answer', async () => {
  const person = await enter()
  setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
  assert.equal((await open(person, 'demo')).status, 202)
  assert.equal(await processUntilEnded(person), 'done')
  const { accounts, intents } = await rowsOf(person)
  assert.deepEqual([accounts.length, intents.length], [1, 1])
  await Promise.all([1, 2, 3].map(() => settleIntent(setup.system, String(intents[0]?.intent_id))))
  const login = String(accounts[0]?.platform_login)
  assert.deepEqual(
    setup.simulator.control.ledger(login).map(({ amount }) => Number(amount)),
    [10_000],
  )
})

for (const [kind, ending] of [
  ['execute-then-500', 'done'],
  ['execute-then-garbage', 'done'],
  ['drop-before', 'not_opened'],
] as const) {
  test(`sends an opening once after ${kind}, whose unknown outcome ends as ${ending}`, async () => {
    const person = await enter()
    const before = setup.simulator.control.accountsOf('real-usd').length
    setup.simulator.control.addFault({ path: addCall, times: 1, kind })
    const answer = await open(person, 'live')
    assert.deepEqual([answer.status, answer.body.code], [202, 'opening_being_checked'], answer.raw)
    assert.equal((await open(person, 'live')).body.code, 'opening_under_way')
    assert.equal(await processUntilEnded(person), ending)
    const isThere = ending === 'done' ? 1 : 0
    assert.equal(setup.simulator.control.accountsOf('real-usd').length, before + isThere)
    assert.equal((await rowsOf(person)).accounts.length, isThere)
  })
}

test("shows the platform's own rules at their fields", async () => {
  const errorsOf = async (change: object) => (await open(await enter(), 'live', change)).body.errors
  assert.deepEqual(await errorsOf({ main_password: 'TidalGauge71-and-more' }), {
    main_password: [texts.passwordTooLong.replace('{{count}}', '15')],
  })
  assert.deepEqual(await errorsOf({ group: 'real-gone' }), { group: [openingTexts.openingGroupRefused] })
})

test('shows the password rules while the bridge is down, once it has reported them', async () => {
  const { token } = await enter()
  const policyOf = async () => {
    const { body } = await caller.get('/members/trading/configuration', token)
    return (body.config as { platforms: { password_policy: unknown }[] }).platforms[0]?.password_policy
  }
  const said = { min: 5, max: 15, classes: 'two-of-three', forbidden: '' }
  assert.deepEqual(await policyOf(), said)
  await setup.simulator.control.down()
  const whileAway = await policyOf()
  await setup.simulator.control.up()
  setup.context.clock.advance(10_000)
  assert.deepEqual(whileAway, said)
})
