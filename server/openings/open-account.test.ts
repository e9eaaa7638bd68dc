import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { openingTexts } from '@atrium/contract/opening-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { settleIntent } from '../funding/crediting.ts'
import { type Answered, type Caller, callerOf } from '../testing/caller.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  approveDocuments,
  memberActor,
  openTestSession,
  setFeatures,
  setPermissions,
  staffActor,
} from '../testing/harbour.ts'
import { addTerms } from '../testing/harbour-papers.ts'
import { addPlatform } from '../testing/harbour-platforms.ts'
import { here } from '../testing/here.ts'
import { mailsTo } from '../testing/mailbox.ts'
import { openServedFloor, type ServedFloor } from '../testing/served-floor.ts'
import { listEndedOpenings } from './queries.ts'
import { recountOpening } from './recount.ts'
import { settleOpening } from './settle.ts'

let floor: ServedFloor
let caller: Caller

before(async () => {
  floor = await openServedFloor()
  caller = floor.caller
})
after(() => floor.close())
beforeEach(async () => {
  floor.simulator.control.clearFaults()
  await setSettings({})
})

const password = 'Tidal-Gauge-71'
const realGroup = 'real\\standard-usd'
const demoGroup = 'demo\\standard-usd'
const addCall = '/api/user/add'

type Person = { id: string; email: string; token: string }

async function enter({ isApproved = true } = {}): Promise<Person> {
  const { memberId, email } = await addMember(floor.system)
  if (isApproved) await approveDocuments(floor.system, memberId)
  const { token } = await openTestSession(floor.system, { kind: 'member', id: memberId })
  return { id: memberId, email, token }
}

async function setSettings(settings: Record<string, unknown>): Promise<void> {
  await inTransaction(floor.system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ settings: JSON.stringify({ second_factor_staff: 'optional', ...settings }) })
      .where('workspace_id', '=', floor.system.workspaceId)
      .execute(),
  )
}

const bodyOf = (change: object = {}) => ({
  initial_deposit: 0,
  main_password: password,
  trading_platform: floor.platformId,
  group: realGroup,
  leverage: 100,
  ...change,
})

const openLive = ({ token }: Person, change: object = {}): Promise<Answered> =>
  caller.post('/members/trading/open-live-account', bodyOf(change), token)
const openDemo = ({ token }: Person, change: object = {}): Promise<Answered> =>
  caller.post('/members/trading/open-demo-account', bodyOf({ group: demoGroup, ...change }), token)

function accountsOf({ id }: Person) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .selectAll()
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('member_id', '=', id)
      .execute(),
  )
}

function openingsOf({ id }: Person) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('account_openings')
      .selectAll()
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('member_id', '=', id)
      .orderBy('opening_id')
      .execute(),
  )
}

const onPlatform = (): string[] => floor.simulator.control.accountsOf('*')
const sends = (): number => floor.simulator.control.calls().filter(({ path }) => path === addCall).length

async function underWayOf(person: Person): Promise<{ state: string; kind: string }[]> {
  const { body } = await caller.get('/members/trading/openings', person.token)
  return body.openings as { state: string; kind: string }[]
}

/** What the queue would do over time. */
async function visitUntilEnded(person: Person): Promise<string> {
  for (let visit = 0; visit < 40; visit++) {
    const opening = (await openingsOf(person)).at(-1)
    assert.ok(opening)
    if (!['ready', 'sending', 'unknown'].includes(opening.state)) return opening.state
    await settleOpening(floor.system, opening.opening_id)
    floor.ground.clock.advance(40_000)
  }
  throw new Error('The opening never ended')
}

test('a live account is opened on the platform, with its row, and its password is the one that was chosen', async () => {
  const person = await enter()
  const answer = await openLive(person)
  assert.equal(answer.status, 200, answer.raw)
  const [row, ...others] = await accountsOf(person)
  assert.deepEqual(others, [])
  const account = answer.body.trading_account as Record<string, unknown>
  assert.equal(answer.body.status, 'ok')
  assert.deepEqual(
    [account._id, account.platform_login, account.live_account, account.group, account.leverage, account.currency],
    [row?.account_id, row?.platform_login, true, realGroup, 100, 'USD'],
  )
  assert.equal(account.balance, '0.00')
  assert.equal(floor.simulator.control.account(String(row?.platform_login))?.group, realGroup)
  const link = await floor.ground.platforms.link(floor.system, floor.platformId)
  assert.equal(await link?.gateway.checkPassword(String(row?.platform_login), 'main', password), true)
  assert.equal((await openingsOf(person))[0]?.state, 'done')
  assert.deepEqual(await underWayOf(person), [])
})

describe('a demo account', () => {
  test('is given its starting balance, exactly once', async () => {
    const person = await enter()
    assert.equal((await openDemo(person)).status, 200)
    const [account] = await accountsOf(person)
    const found = await reading(floor.system, (tx) =>
      tx
        .selectFrom('balance_transactions as money')
        .innerJoin('platform_intents as intent', (join) =>
          join
            .onRef('intent.workspace_id', '=', 'money.workspace_id')
            .onRef('intent.transaction_id', '=', 'money.transaction_id'),
        )
        .where('money.workspace_id', '=', floor.system.workspaceId)
        .select(['money.amount', 'money.source', 'money.state', 'intent.intent_id', 'intent.tag'])
        .where('money.member_id', '=', person.id)
        .execute(),
    )
    assert.deepEqual(
      found.map(({ amount, source, state }) => [amount, source, state]),
      [['10000.00', 'other', 'crediting']],
    )
    const { intent_id, tag } = found[0] ?? { intent_id: '', tag: '' }
    await Promise.all([1, 2, 3].map(() => settleIntent(floor.system, intent_id)))
    assert.equal(floor.simulator.control.dealsWithComment(tag).length, 1)
    assert.equal(floor.simulator.control.account(String(account?.platform_login))?.balance, '10000.00')
  })

  test('is given it once also when its opening was found by looking', async () => {
    const person = await enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await openDemo(person)).status, 202)
    const [opening] = await openingsOf(person)
    await Promise.all([1, 2, 3].map(() => settleOpening(floor.system, String(opening?.opening_id))))
    assert.equal(await visitUntilEnded(person), 'done')
    const money = await reading(floor.system, (tx) =>
      tx.selectFrom('balance_transactions').where(here).select('amount').where('member_id', '=', person.id).execute(),
    )
    assert.deepEqual(money, [{ amount: '10000.00' }])
  })

  test('is given none where the brokerage gives none', async () => {
    await setSettings({ demo_balance: '0' })
    const person = await enter()
    assert.equal((await openDemo(person)).status, 200)
    const money = await reading(floor.system, (tx) =>
      tx.selectFrom('balance_transactions').where(here).select('amount').where('member_id', '=', person.id).execute(),
    )
    assert.deepEqual(money, [])
  })
})

describe('is refused, and nothing is sent', () => {
  const fields: [what: string, change: object, field: string, text: string][] = [
    ['an unknown platform', { trading_platform: newId() }, 'trading_platform', openingTexts.openingPlatformUnknown],
    ['a group that is not offered', { group: 'real\\standard-eur' }, 'group', openingTexts.openingGroupUnknown],
    ['the group of managers', { group: 'manager' }, 'group', openingTexts.openingGroupUnknown],
    ['a demo group', { group: demoGroup }, 'group', openingTexts.openingGroupKind],
    ['a group that the platform has no more', { group: 'real\\gone' }, 'group', openingTexts.openingGroupRefused],
    ['a leverage that is not offered', { leverage: 77 }, 'leverage', openingTexts.openingLeverageUnknown],
    ['a short password', { main_password: 'Aa1!' }, 'main_password', texts.passwordTooShort],
    [
      'a password without a capital',
      { main_password: 'tidal-gauge-71' },
      'main_password',
      openingTexts.openingPasswordLetters,
    ],
    [
      'a password that the platform wants more of',
      { main_password: 'TidalGauge71' },
      'main_password',
      openingTexts.openingPasswordSpecial,
    ],
    ['a deposit', { initial_deposit: 5 }, 'initial_deposit', openingTexts.openingDeposit],
    ['no group', { group: '' }, 'group', openingTexts.openingIncomplete],
  ]
  for (const [what, change, field, text] of fields) {
    test(what, async () => {
      const person = await enter()
      const before = sends()
      const answer = await openLive(person, change)
      const errors = (answer.body.errors ?? {}) as Record<string, string[]>
      assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_input'], answer.raw)
      assert.ok(errors[field]?.includes(text), answer.raw)
      assert.equal(sends(), before)
      assert.deepEqual(await underWayOf(person), [])
    })
  }

  test('a real group for a demo account', async () => {
    const answer = await openDemo(await enter(), { group: realGroup })
    assert.deepEqual((answer.body.errors as Record<string, unknown>).group, [openingTexts.openingGroupKind])
  })

  test("another brokerage's platform, as an unknown one is", async () => {
    const other = await addWorkspace(floor.ground)
    const theirs = await addPlatform(other, { groups: [{ name: realGroup, alias: 'Standard' }] })
    const person = await enter()
    const foreign = await openLive(person, { trading_platform: theirs })
    const unknown = await openLive(person, { trading_platform: newId() })
    const told = ({ body: { request_id: _, ...body } }: Answered) => body
    assert.equal(foreign.status, 422)
    assert.deepEqual(told(foreign), told(unknown))
  })

  test('while opening is switched off', async () => {
    await setSettings({ acc_creation_live_configuration: { enabled: false } })
    const answer = await openLive(await enter())
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [403, 'opening_disabled', openingTexts.openingDisabled],
    )
  })

  test('before the documents are approved, unless nobody asks for them', async () => {
    const person = await enter({ isApproved: false })
    const answer = await openLive(person)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [403, 'kyc_required', openingTexts.openingKyc],
    )
    await setSettings({ acc_creation_live_configuration: { require_kyc: false } })
    assert.equal((await openLive(person)).status, 200)
  })

  test('beyond the limit, each kind counted for itself, and never without one', async () => {
    await setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
    const person = await enter()
    assert.equal((await openLive(person)).status, 200)
    const answer = await openLive(person)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [409, 'account_limit_reached', openingTexts.openingLimit],
    )
    assert.equal((await openDemo(person)).status, 200)
    await setSettings({ acc_creation_live_configuration: { account_limit: -1 } })
    assert.equal((await openLive(person)).status, 200)
  })

  test('with the feature off, the permission denied, terms unread, or nobody signed in', async () => {
    const person = await enter()
    await setFeatures(floor.system, { accounts: false })
    assert.deepEqual([(await openLive(person)).status, (await openLive(person)).body.code], [404, 'feature_off'])
    await setFeatures(floor.system, {})
    await setPermissions(floor.system, person.id, ['my_accounts-'])
    assert.equal((await openLive(person)).body.code, 'not_permitted')
    assert.equal((await caller.get('/members/trading/openings', person.token)).body.code, 'not_permitted')
    assert.equal((await caller.post('/members/trading/open-live-account', bodyOf())).status, 401)
  })
})

test('terms that close the accounts close the opening of them', async () => {
  const system = await addWorkspace(floor.ground, { subdomain: 'with-terms' })
  await addTerms(staffActor(system, await addStaff(system)), { blocked_portal_sections: ['my_accounts'] })
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  const theirs = callerOf(floor.app, 'with-terms.localhost')
  for (const kind of ['live', 'demo']) {
    const answer = await theirs.post(`/members/trading/open-${kind}-account`, bodyOf(), token)
    assert.deepEqual([answer.status, answer.body.code], [403, 'terms_required'], answer.raw)
  }
})

describe("the platform's own refusal stands beside its field, and another try is free", () => {
  const codes: [code: number, field: string, text: string][] = [
    [3006, 'main_password', openingTexts.openingPasswordRefused],
    [8, 'group', openingTexts.openingGroupRefused],
    [3, 'leverage', openingTexts.openingLeverageRefused],
    [3002, 'trading_platform', openingTexts.openingNoLogins],
    [3007, 'trading_platform', openingTexts.openingRefused],
  ]
  for (const [code, field, text] of codes) {
    test(`code ${code}: ${field}`, async () => {
      const person = await enter()
      floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code })
      const answer = await openLive(person)
      assert.equal(answer.status, 422, answer.raw)
      assert.deepEqual(answer.body.errors, { [field]: [text] })
      assert.equal((await openingsOf(person))[0]?.state, 'rejected')
      assert.equal((await openLive(person)).status, 200)
    })
  }
})

test('twenty requests at once, again and again, end exactly at the limit, here and on the platform', async () => {
  await setSettings({ acc_creation_live_configuration: { account_limit: 3 } })
  const person = await enter()
  const before = onPlatform().length
  const answers: Answered[] = []
  for (let round = 0; round < 4; round++) {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => openLive(person)))))
  }
  const opened = answers.filter(({ status }) => status === 200)
  assert.deepEqual([opened.length, (await accountsOf(person)).length, onPlatform().length - before], [3, 3, 3])
  for (const { status, body } of answers) {
    if (status === 200) continue
    assert.equal(status, 409)
    assert.ok(['opening_under_way', 'account_limit_reached'].includes(String(body.code)))
  }
})

/** A new member each time, who may have one account. */
const races = Number(process.env.ATRIUM_TEST_RACE_ROUNDS ?? 3)

test(`of twenty requests at once one wins and nineteen are refused, ${races} times`, async () => {
  await setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
  for (let round = 0; round < races; round++) {
    const person = await enter()
    const before = onPlatform().length
    const answers = await Promise.all(Array.from({ length: 20 }, () => openLive(person)))
    const [winner, ...losers] = answers.map(({ status }) => status).sort()
    assert.deepEqual(
      losers,
      Array.from({ length: 19 }, () => 409),
    )
    // On a busy machine the answer may come later than it is waited for.
    if (winner !== 200) assert.deepEqual([winner, await visitUntilEnded(person)], [202, 'done'])
    assert.deepEqual([(await accountsOf(person)).length, onPlatform().length - before], [1, 1])
  }
})

test('two requests at once never open limit + 1', async () => {
  await setSettings({ acc_creation_live_configuration: { account_limit: 1 } })
  for (let round = 0; round < 20; round++) {
    const person = await enter()
    const answers = await Promise.all([openLive(person), openLive(person)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], answers.map(({ raw }) => raw).join(' '))
    assert.equal((await accountsOf(person)).length, 1)
  }
})

describe('a request that carries a token', () => {
  const tokenOf = async ({ token }: Person): Promise<string> => {
    const { body } = await caller.post('/members/get-unique-token', { token_key: 'account_opening' }, token)
    return String(body.token)
  }

  test('opens one account however often it is sent, at once and after its answer', async () => {
    const person = await enter()
    const nonce_token = await tokenOf(person)
    const before = sends()
    const answers = await Promise.all(Array.from({ length: 8 }, () => openLive(person, { nonce_token })))
    assert.ok(answers.every(({ status }) => status === 200 || status === 202))
    const again = await openLive(person, { nonce_token })
    const [account, ...others] = await accountsOf(person)
    assert.deepEqual([others, sends()], [[], before + 1])
    assert.equal((again.body.trading_account as { _id: string })._id, account?.account_id)
  })

  test('finds what it opened also while the platform is away', async () => {
    const person = await enter()
    const nonce_token = await tokenOf(person)
    assert.equal((await openLive(person, { nonce_token })).status, 200)
    await floor.simulator.control.down()
    const again = await openLive(person, { nonce_token })
    await floor.simulator.control.up()
    floor.ground.clock.advance(10_000)
    assert.equal(again.status, 200, again.raw)
  })

  test('is told that it is being checked, and to be sent anew once nothing came of it', async () => {
    const person = await enter()
    const nonce_token = await tokenOf(person)
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await openLive(person, { nonce_token })).status, 202)
    assert.equal((await openLive(person, { nonce_token })).status, 202)
    assert.equal(await visitUntilEnded(person), 'not_opened')
    const after = await openLive(person, { nonce_token })
    assert.deepEqual([after.status, after.body.code], [409, 'nonce_reused'])
    assert.equal((await openLive(person, { nonce_token: await tokenOf(person) })).status, 200)
  })

  test('is refused with other details, for the other kind, and with the token of somebody else', async () => {
    const [person, other] = [await enter(), await enter()]
    const nonce_token = await tokenOf(person)
    assert.equal((await openLive(person, { nonce_token })).status, 200)
    assert.equal((await openLive(person, { nonce_token, leverage: 200 })).body.code, 'nonce_reused')
    assert.equal((await openDemo(person, { nonce_token })).body.code, 'nonce_reused')
    assert.equal((await openLive(other, { nonce_token })).body.code, 'nonce_unknown')
    assert.deepEqual(await accountsOf(other), [])
  })

  test('leaves no trace of its password with the token', async () => {
    const person = await enter()
    const nonce_token = await tokenOf(person)
    const secret = 'Lantern-Quay-88'
    assert.equal((await openLive(person, { nonce_token, main_password: secret })).status, 200)
    // The password takes no part in telling requests apart: another one with the same token is the same request.
    assert.equal((await openLive(person, { nonce_token, main_password: 'Other-Quay-99' })).status, 200)
    assert.equal((await accountsOf(person)).length, 1)
  })
})

describe('what ended of late', () => {
  const endedOf = async (person: Person): Promise<Record<string, unknown>[]> =>
    (await caller.get('/members/trading/openings', person.token)).body.ended as Record<string, unknown>[]

  test('is told with its account to whoever watched it, for a day, and to nobody else', async () => {
    const [person, other] = [await enter(), await enter()]
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await openDemo(person)).status, 202)
    assert.deepEqual(await endedOf(person), [])
    assert.equal(await visitUntilEnded(person), 'done')
    const [ended] = await endedOf(person)
    const account = ended?.trading_account as Record<string, unknown>
    assert.deepEqual([ended?.kind, ended?.state], ['demo', 'opened'])
    assert.equal(account.platform_login, (await accountsOf(person))[0]?.platform_login)
    assert.equal(account.starting_balance, '10000.00')
    assert.deepEqual(await endedOf(other), [])
    floor.ground.clock.advance(limits.openingToldForMs)
    assert.deepEqual(await listEndedOpenings(await memberActor(floor.system, person.id)), [])
  })

  test('says so where nothing was opened, and leaves out what was refused', async () => {
    const person = await enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code: 3006 })
    assert.equal((await openLive(person)).status, 422)
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await openLive(person)).status, 202)
    assert.equal(await visitUntilEnded(person), 'not_opened')
    assert.deepEqual(
      (await endedOf(person)).map(({ state, trading_account }) => [state, trading_account]),
      [['not_opened', null]],
    )
  })
})

test('staff see at the member what was asked for, what became of it and why; those without the right do not', async () => {
  const [person, other] = [await enter(), await enter()]
  floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'answer-code', code: 3006 })
  assert.equal((await openLive(person)).status, 422)
  floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
  assert.equal((await openLive(person)).status, 202)
  const { token } = await openTestSession(floor.system, { kind: 'staff', id: floor.staffSignIn.staffId })
  const seen = async ({ id }: Person) => {
    const { body } = await caller.get(`/desk/api/members/${id}`, token)
    return (body.member as { openings: Record<string, unknown>[] }).openings
  }
  const [checked, refused] = await seen(person)
  assert.deepEqual([checked?.state, checked?.kind, checked?.platform], ['unknown', 'live', 'MetaTrader 5'])
  assert.deepEqual([refused?.state, refused?.problem], ['rejected', 'weak_password (3006)'])
  assert.deepEqual(await seen(other), [])
  assert.equal((await caller.get(`/desk/api/members/${person.id}`, person.token)).status, 401)
  assert.equal(await visitUntilEnded(person), 'not_opened')
})

test('the configuration says what each platform asks of passwords', async () => {
  const { token } = await enter()
  const policyOf = async () => {
    const { body } = await caller.get('/members/trading/configuration', token)
    return (body.config as { platforms: { password_policy: unknown }[] }).platforms[0]?.password_policy
  }
  assert.deepEqual(await policyOf(), {
    min: 8,
    max: 16,
    classes: 'lower+upper+digit+special',
    forbidden: '=|\\',
  })
})

describe('an outcome that is not known', () => {
  const faults: { kind: FaultKind; isThere: boolean }[] = [
    { kind: 'execute-then-drop', isThere: true },
    { kind: 'execute-then-500', isThere: true },
    { kind: 'execute-then-garbage', isThere: true },
    { kind: 'fail-before', isThere: false },
    { kind: 'drop-before', isThere: false },
  ]
  for (const { kind, isThere } of faults) {
    test(`${kind}: is said to be checked, and ${isThere ? 'the account is adopted' : 'ends with nothing there'}`, async () => {
      const person = await enter()
      const [before, sentBefore] = [onPlatform().length, sends()]
      floor.simulator.control.addFault({ path: addCall, times: 1, kind })
      const answer = await openLive(person)
      assert.deepEqual(
        [answer.status, answer.body.status, answer.body.code],
        [202, 'checking', 'opening_being_checked'],
      )
      assert.deepEqual(
        (await underWayOf(person)).map(({ state }) => state),
        ['checking'],
      )
      const again = await openLive(person)
      assert.deepEqual([again.status, again.body.code], [409, 'opening_under_way'])
      assert.equal(await visitUntilEnded(person), isThere ? 'done' : 'not_opened')
      assert.equal(sends(), sentBefore + 1, 'sent again')
      assert.equal(onPlatform().length, before + (isThere ? 1 : 0))
      assert.deepEqual(
        (await accountsOf(person)).map(({ platform_login }) => platform_login),
        isThere ? [onPlatform().at(-1)] : [],
      )
      const mails = await mailsTo(floor.system, person.email)
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        [isThere ? 'Your live account was opened' : 'Your live account was not opened'],
      )
      assert.deepEqual(await underWayOf(person), [])
    })
  }

  test('the session ended under it, or the platform taking its time: opened with the first request', async () => {
    for (const fault of [{ kind: 'close-session' as const }, { kind: 'delay' as const, ms: 100 }]) {
      const person = await enter()
      const before = sends()
      floor.simulator.control.addFault({ path: addCall, times: 1, ...fault })
      const answer = await openLive(person)
      // What was not executed is either answered so, or found absent; nobody sends it a second time unasked.
      assert.ok([200, 202, 503].includes(answer.status), answer.raw)
      if (answer.status === 202) assert.equal(await visitUntilEnded(person), 'not_opened')
      assert.equal((await accountsOf(person)).length, answer.status === 200 ? 1 : 0)
      assert.equal(sends(), before + 1)
    }
  })

  test('an answer after our deadline: the account is found', async () => {
    const person = await enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'late-answer', ms: 60_000 })
    assert.equal((await openLive(person)).status, 202)
    assert.equal(await visitUntilEnded(person), 'done')
    assert.equal((await accountsOf(person)).length, 1)
  })

  test('not opened is not said before the settling time is over', async () => {
    const person = await enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'drop-before' })
    assert.equal((await openLive(person)).status, 202)
    const id = String((await openingsOf(person))[0]?.opening_id)
    for (let second = 0; second < 195; second += 15) {
      await settleOpening(floor.system, id)
      assert.equal((await openingsOf(person))[0]?.state, 'unknown')
      floor.ground.clock.advance(15_000)
    }
    assert.equal(await visitUntilEnded(person), 'not_opened')
  })

  test('an account that lands after its absence was believed is adopted by the count hours later', async () => {
    const person = await enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'land-after', ms: 3_600_000 })
    assert.equal((await openLive(person)).status, 202)
    assert.equal(await visitUntilEnded(person), 'not_opened')
    const id = String((await openingsOf(person))[0]?.opening_id)
    await recountOpening(floor.system, id)
    assert.equal((await openingsOf(person))[0]?.state, 'not_opened')
    floor.simulator.control.landPending()
    await recountOpening(floor.system, id)
    assert.equal((await openingsOf(person))[0]?.state, 'done')
    assert.equal((await accountsOf(person)).length, 1)
  })

  test('the platform away while it is looked for: stays being checked', async () => {
    const person = await enter()
    floor.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    assert.equal((await openLive(person)).status, 202)
    await floor.simulator.control.down()
    const id = String((await openingsOf(person))[0]?.opening_id)
    for (let visit = 0; visit < 6; visit++) {
      floor.ground.clock.advance(61_000)
      await settleOpening(floor.system, id)
      assert.equal((await openingsOf(person))[0]?.state, 'unknown')
    }
    await floor.simulator.control.up()
    assert.equal(await visitUntilEnded(person), 'done')
    assert.equal((await accountsOf(person)).length, 1)
  })
})

test('the platform away: nothing is opened, that is said, and another try is free', async () => {
  const person = await enter()
  await floor.simulator.control.down()
  const answer = await openLive(person)
  await floor.simulator.control.up()
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.error],
    [503, 'unavailable', openingTexts.openingUnavailable],
  )
  assert.deepEqual(await accountsOf(person), [])
  floor.ground.clock.advance(10_000)
  assert.equal((await openLive(person)).status, 200)
})

test('an opening stays what it is for, moves only along the table, and no member moves it', async () => {
  const person = await enter()
  assert.equal((await openLive(person)).status, 200)
  const member = await memberActor(floor.system, person.id)
  const set = (actor: typeof member | typeof floor.system, values: object) =>
    inTransaction(actor, (tx) =>
      tx.updateTable('account_openings').where(here).set(values).where('member_id', '=', person.id).execute(),
    )
  await assert.rejects(set(floor.system, { state: 'sending' }), /cannot move/)
  await assert.rejects(set(floor.system, { leverage: 500 }), /keeps what it is for/)
  await assert.rejects(set(floor.system, { sent_at: new Date() }), /sent once/)
  await assert.rejects(set(member, { last_problem: 'x' }), /a member moves no opening/)
})
