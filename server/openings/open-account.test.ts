// spec: MP 2.4, MP 5, MP 7, MP 9, DK members
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type Answered, callerOf } from '../../tests/fixtures/caller.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import {
  addCall,
  demoGroup,
  type Opener,
  type OpeningFixture,
  openOpeningFixture,
  password,
  realGroup,
} from '../../tests/fixtures/trading/opening-fixture.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { fixtureGroups } from '../../tests/fixtures/trading/trading-fixture.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  memberActor,
  openTestSession,
  setFeatures,
  setPermissions,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { settleOpening } from './settle.ts'

let setup: OpeningFixture
before(async () => {
  setup = await openOpeningFixture()
})
after(() => setup.close())
beforeEach(() => setup.clear())

test('opens a live account on the platform and here, with the chosen password', async () => {
  const person = await setup.enter()
  const answer = await setup.openLive(person)
  assert.equal(answer.status, 200, answer.raw)
  const [row, ...others] = await setup.accountsOf(person)
  assert.deepEqual(others, [])
  const account = answer.body.trading_account as Record<string, unknown>
  assert.equal(answer.body.status, 'ok')
  assert.deepEqual(
    [account._id, account.platform_login, account.live_account, account.group, account.leverage, account.currency],
    [row?.account_id, row?.platform_login, true, realGroup, 100, 'USD'],
  )
  assert.equal(account.balance, '0.00')
  assert.equal(setup.simulator.control.account(String(row?.platform_login))?.group, realGroup)
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  assert.equal(await link?.gateway.checkPassword(String(row?.platform_login), 'main', password), true)
  assert.equal((await setup.openingsOf(person))[0]?.state, 'done')
  assert.deepEqual(await setup.underWayOf(person), [])
})

test('mails the owner the login and server', async () => {
  const setServer = (client_server: string | null) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_platforms')
        .set({ client_server })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('platform_id', '=', setup.platformId)
        .execute(),
    )
  const mailOf = async (): Promise<string> => {
    const person = await setup.enter()
    const { body } = await setup.openLive(person)
    const [mail, ...others] = await mailsTo(setup.system, person.email)
    assert.deepEqual(others, [])
    const { platform_login: login, trading_platform: platform } = body.trading_account as {
      platform_login: string
      trading_platform: { server: string | null }
    }
    assert.match(mail?.text ?? '', new RegExp(`Its login is ${login}\\.`))
    return `${platform.server}: ${mail?.text}`
  }
  await setServer('Harbour-Live')
  assert.match(
    await mailOf(),
    /^Harbour-Live: .*The server to choose when you sign in to the platform is Harbour-Live\./s,
  )
  await setServer(null)
  assert.doesNotMatch(await mailOf(), /server to choose/)
})

describe('a demo account', () => {
  test('is credited its initial balance exactly once', async () => {
    const person = await setup.enter()
    assert.equal((await setup.openDemo(person)).status, 200)
    const [account] = await setup.accountsOf(person)
    const found = await reading(setup.system, (tx) =>
      tx
        .selectFrom('balance_transactions as money')
        .innerJoin('platform_intents as intent', (join) =>
          join
            .onRef('intent.workspace_id', '=', 'money.workspace_id')
            .onRef('intent.transaction_id', '=', 'money.transaction_id'),
        )
        .where('money.workspace_id', '=', setup.system.workspaceId)
        .select(['money.amount', 'money.source', 'money.state', 'intent.intent_id', 'intent.tag'])
        .where('money.member_id', '=', person.id)
        .execute(),
    )
    assert.deepEqual(
      found.map(({ amount, source, state }) => [amount, source, state]),
      [['10000.00', 'other', 'crediting']],
    )
    const { intent_id, tag } = found[0] ?? { intent_id: '', tag: '' }
    await Promise.all([1, 2, 3].map(() => settleIntent(setup.system, intent_id)))
    assert.equal(setup.simulator.control.dealsWithComment(tag).length, 1)
    assert.equal(setup.simulator.control.account(String(account?.platform_login))?.balance, '10000.00')
  })

  test('is credited it once also when a look-up found the account', async () => {
    const person = await setup.enter()
    setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await setup.openDemo(person)).status, 202)
    const [opening] = await setup.openingsOf(person)
    await Promise.all([1, 2, 3].map(() => settleOpening(setup.system, String(opening?.opening_id))))
    assert.equal(await setup.processUntilEnded(person), 'done')
    const money = await reading(setup.system, (tx) =>
      tx.selectFrom('balance_transactions').where(here).select('amount').where('member_id', '=', person.id).execute(),
    )
    assert.deepEqual(money, [{ amount: '10000.00' }])
  })

  test('is credited nothing when the brokerage configures none', async () => {
    await setup.setSettings({ demo_balance: '0' })
    const person = await setup.enter()
    assert.equal((await setup.openDemo(person)).status, 200)
    const money = await reading(setup.system, (tx) =>
      tx.selectFrom('balance_transactions').where(here).select('amount').where('member_id', '=', person.id).execute(),
    )
    assert.deepEqual(money, [])
  })
})

test('a demo account whose group is offered for live accounts by then is credited nothing', async () => {
  const offer = (groups: object[]) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_platforms')
        .where(here)
        .set({ groups: JSON.stringify(groups) })
        .where('platform_id', '=', setup.platformId)
        .execute(),
    )
  const person = await setup.enter()
  setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
  assert.equal((await setup.openDemo(person)).status, 202)
  await offer([{ name: demoGroup, alias: 'Live by now', kind: 'live' }])
  assert.equal(await setup.processUntilEnded(person), 'done')
  await offer(fixtureGroups)
  const money = await reading(setup.system, (tx) =>
    tx.selectFrom('balance_transactions').where(here).select('amount').where('member_id', '=', person.id).execute(),
  )
  assert.deepEqual(money, [])
})

describe('opening an account, before anything is sent', () => {
  const fields: [what: string, change: object, field: string, text: string][] = [
    ['an unknown platform', { trading_platform: newId() }, 'trading_platform', openingTexts.openingPlatformUnknown],
    ['a group that is not offered', { group: 'real\\standard-eur' }, 'group', openingTexts.openingGroupUnknown],
    ['a group of managers', { group: 'manager' }, 'group', openingTexts.openingGroupUnknown],
    ['a demo group', { group: demoGroup }, 'group', openingTexts.openingGroupKind],
    ['a group that the platform no longer has', { group: 'real\\gone' }, 'group', openingTexts.openingGroupRefused],
    ['a leverage that is not offered', { leverage: 77 }, 'leverage', openingTexts.openingLeverageUnknown],
    ['a short password', { main_password: 'Aa1!' }, 'main_password', texts.passwordTooShort],
    [
      'a password without a capital',
      { main_password: 'tidal-gauge-71' },
      'main_password',
      openingTexts.openingPasswordLetters,
    ],
    [
      'a password that breaks a rule of the platform',
      { main_password: 'TidalGauge71' },
      'main_password',
      openingTexts.openingPasswordSpecial,
    ],
    ['a deposit', { initial_deposit: 5 }, 'initial_deposit', openingTexts.openingDeposit],
    ['no group', { group: '' }, 'group', openingTexts.openingIncomplete],
  ]
  for (const [what, change, field, text] of fields) {
    test(`is refused with ${what}`, async () => {
      const person = await setup.enter()
      const before = setup.sends()
      const answer = await setup.openLive(person, change)
      const errors = (answer.body.errors ?? {}) as Record<string, string[]>
      assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_input'], answer.raw)
      assert.ok(errors[field]?.includes(text), answer.raw)
      assert.equal(setup.sends(), before)
      assert.deepEqual(await setup.underWayOf(person), [])
    })
  }

  test('is refused for a demo account in a live group', async () => {
    const answer = await setup.openDemo(await setup.enter(), { group: realGroup })
    assert.deepEqual((answer.body.errors as Record<string, unknown>).group, [openingTexts.openingGroupKind])
  })

  test('is refused on another workspace’s platform, with the same answer as on an unknown one', async () => {
    const other = await addWorkspace(setup.context)
    const theirs = await addPlatform(other, { groups: [{ name: realGroup, alias: 'Standard' }] })
    const person = await setup.enter()
    const foreign = await setup.openLive(person, { trading_platform: theirs })
    const unknown = await setup.openLive(person, { trading_platform: newId() })
    const bodyOf = ({ body: { request_id: _, ...body } }: Answered) => body
    assert.equal(foreign.status, 422)
    assert.deepEqual(bodyOf(foreign), bodyOf(unknown))
  })

  test('is refused while opening is disabled', async () => {
    await setup.setSettings({ acc_creation_live_configuration: { enabled: false } })
    const answer = await setup.openLive(await setup.enter())
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [403, 'opening_disabled', openingTexts.openingDisabled],
    )
  })

  test('is refused before the documents are approved, unless approval is not required', async () => {
    const person = await setup.enter({ isApproved: false })
    const answer = await setup.openLive(person)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [403, 'kyc_required', openingTexts.openingKyc],
    )
    await setup.setSettings({ acc_creation_live_configuration: { require_kyc: false } })
    assert.equal((await setup.openLive(person)).status, 200)
  })

  test('is refused over the account limit, counted per kind, and never without a limit', async () => {
    await setup.setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
    const person = await setup.enter()
    assert.equal((await setup.openLive(person)).status, 200)
    const answer = await setup.openLive(person)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [409, 'account_limit_reached', openingTexts.openingLimit],
    )
    assert.equal((await setup.openDemo(person)).status, 200)
    await setup.setSettings({ acc_creation_live_configuration: { account_limit: -1 } })
    assert.equal((await setup.openLive(person)).status, 200)
  })

  test('does not count archived accounts towards the limit', async () => {
    await setup.setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
    const person = await setup.enter()
    assert.equal((await setup.openLive(person)).status, 200)
    const counted = async () => (await setup.caller.get('/members/trading/openings', person.token)).body.counted
    assert.deepEqual(await counted(), { live: 1, demo: 0 })
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ archived: true })
        .where(here)
        .where('member_id', '=', person.id)
        .execute(),
    )
    assert.deepEqual(await counted(), { live: 0, demo: 0 })
    assert.equal((await setup.openLive(person)).status, 200)
    assert.equal((await setup.openLive(person)).body.code, 'account_limit_reached')
  })

  test('is refused with the feature off, without the permission, with pending terms, or without a session', async () => {
    const person = await setup.enter()
    await setFeatures(setup.system, { accounts: false })
    assert.deepEqual(
      [(await setup.openLive(person)).status, (await setup.openLive(person)).body.code],
      [404, 'feature_off'],
    )
    await setFeatures(setup.system, {})
    await setPermissions(setup.system, person.id, ['my_accounts-'])
    assert.equal((await setup.openLive(person)).body.code, 'not_permitted')
    assert.equal((await setup.caller.get('/members/trading/openings', person.token)).body.code, 'not_permitted')
    assert.equal((await setup.caller.post('/members/trading/open-live-account', setup.bodyOf())).status, 401)
  })
})

test('refuses to open an account while pending terms block the accounts section', async () => {
  const system = await addWorkspace(setup.context, { subdomain: 'with-terms' })
  await addTerms(staffActor(system, await addStaff(system)), { blocked_portal_sections: ['my_accounts'] })
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  const theirs = callerOf(setup.app, 'with-terms.localhost')
  for (const kind of ['live', 'demo']) {
    const answer = await theirs.post(`/members/trading/open-${kind}-account`, setup.bodyOf(), token)
    assert.deepEqual([answer.status, answer.body.code], [403, 'terms_required'], answer.raw)
  }
})

describe('a refusal by the platform appears at its field, and the member may try again', () => {
  const codes: [code: number, field: string, text: string][] = [
    [3006, 'main_password', openingTexts.openingPasswordRefused],
    [8, 'group', openingTexts.openingGroupRefused],
    [3, 'leverage', openingTexts.openingLeverageRefused],
    [3002, 'trading_platform', openingTexts.openingNoLogins],
    [3007, 'trading_platform', openingTexts.openingRefused],
  ]
  for (const [code, field, text] of codes) {
    test(`shows the refusal ${code} of the platform at the field ${field}`, async () => {
      const person = await setup.enter()
      setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code })
      const answer = await setup.openLive(person)
      assert.equal(answer.status, 422, answer.raw)
      assert.deepEqual(answer.body.errors, { [field]: [text] })
      assert.equal((await setup.openingsOf(person))[0]?.state, 'rejected')
      assert.equal((await setup.openLive(person)).status, 200)
    })
  }
})

test('shows staff a member’s openings with outcome and reason, with the right only', async () => {
  const [person, other] = [await setup.enter(), await setup.enter()]
  setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code: 3006 })
  assert.equal((await setup.openLive(person)).status, 422)
  setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
  assert.equal((await setup.openLive(person)).status, 202)
  const { token } = await openTestSession(setup.system, { kind: 'staff', id: setup.staffSignIn.staffId })
  const seen = async ({ id }: Opener) => {
    const { body } = await setup.caller.get(`/desk/api/members/${id}`, token)
    return (body.member as { openings: Record<string, unknown>[] }).openings
  }
  const [checked, refused] = await seen(person)
  assert.deepEqual([checked?.state, checked?.kind, checked?.platform], ['unknown', 'live', 'MetaTrader 5'])
  assert.deepEqual([refused?.state, refused?.problem], ['rejected', 'weak_password (3006)'])
  assert.deepEqual(await seen(other), [])
  assert.equal((await setup.caller.get(`/desk/api/members/${person.id}`, person.token)).status, 401)
  assert.equal(await setup.processUntilEnded(person), 'not_opened')
})

test("includes each platform's password rules in the configuration", async () => {
  const { token } = await setup.enter()
  const policyOf = async () => {
    const { body } = await setup.caller.get('/members/trading/configuration', token)
    return (body.config as { platforms: { password_policy: unknown }[] }).platforms[0]?.password_policy
  }
  assert.deepEqual(await policyOf(), {
    min: 8,
    max: 16,
    classes: 'lower+upper+digit+special',
    forbidden: '=|\\',
  })
})

test('opens nothing while the platform is down, with a message, and the member may try again', async () => {
  const person = await setup.enter()
  await setup.simulator.control.down()
  const answer = await setup.openLive(person)
  await setup.simulator.control.up()
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.error],
    [503, 'unavailable', openingTexts.openingUnavailable],
  )
  assert.deepEqual(await setup.accountsOf(person), [])
  setup.context.clock.advance(10_000)
  assert.equal((await setup.openLive(person)).status, 200)
})

test('an opening keeps its kind and moves only along the table, and a member cannot move it', async () => {
  const person = await setup.enter()
  assert.equal((await setup.openLive(person)).status, 200)
  const member = await memberActor(setup.system, person.id)
  const set = (actor: typeof member | typeof setup.system, values: object) =>
    inTransaction(actor, (tx) =>
      tx.updateTable('account_openings').where(here).set(values).where('member_id', '=', person.id).execute(),
    )
  await assert.rejects(set(setup.system, { state: 'sending' }), /cannot move/)
  await assert.rejects(set(setup.system, { leverage: 500 }), /keeps what it is for/)
  await assert.rejects(set(setup.system, { sent_at: new Date() }), /sent once/)
  await assert.rejects(set(member, { last_problem: 'x' }), /a member moves no opening/)
})
