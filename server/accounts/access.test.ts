// spec: DK accounts
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { accessNotifications } from '@atrium/contract/accounts/access.ts'
import { accessTexts } from '@atrium/contract/accounts/access-texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { type Mt4Fixture, openMt4Fixture } from '../../tests/fixtures/trading/mt4-fixture.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { fixtureLogin } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, openTestSession, provenStaff } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { changeAccountAccess } from './access.ts'

let setup: ServedFixture
let owner: pg.Client
let token: string
const updating = '/api/user/update'

before(async () => {
  setup = await openServedFixture()
  owner = await setup.openOwner()
})
after(() => setup.close())
beforeEach(async () => {
  token = await signIn('compliance')
  setup.simulator.control.clearFaults()
  await set('full')
  setup.context.clock.advance(120_000)
  setup.simulator.control.clearCalls()
})

async function signIn(role: string): Promise<string> {
  const { staffId } = await addStaff(setup.system, { role })
  return (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
}

type Set = { reason?: string; id?: string; as?: string; seen?: string }
const set = (
  access: string,
  { reason = 'Chargeback under review', id = setup.accountId, as = token, ...seen }: Set = {},
) => setup.caller.post(`/desk/api/accounts/${id}/access`, { access, reason, ...seen }, as)

/** The access as the platform has it and as the portal has it. */
async function both() {
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  const at = await link?.gateway.readAccount(fixtureLogin)
  const { rows } = await owner.query('select status, enable_read_only from trading_accounts where account_id = $1', [
    setup.accountId,
  ])
  return [at?.enabled, at?.tradingAllowed, rows[0]?.status, rows[0]?.enable_read_only]
}

async function entries(): Promise<string[]> {
  const { rows } = await owner.query<{ action: string }>(
    "select action from audit_log where action like 'account.access-%' and at = $1 order by audit_id",
    [setup.context.clock.now()],
  )
  return rows.map(({ action }) => action.replace('account.access-', ''))
}

const sentTo = (path: string) => setup.simulator.control.calls().filter((call) => call.path === path).length

describe('changing the access of an account', () => {
  for (const [access, expected] of [
    ['read_only', [true, false, 'active', true]],
    ['disabled', [false, false, 'disabled', true]],
  ] as const)
    test(`sets ${access} on the platform and in the portal, and notifies the owner`, async () => {
      const answer = await set(access)
      const { portal, platform } = answer.body.account as Record<string, Record<string, unknown>>
      assert.deepEqual([answer.status, portal?.is_read_only, platform?.is_read_only], [200, true, true])
      assert.deepEqual([await both(), await entries()], [expected, ['asked', 'changed']])
      const mail = (await mailsTo(setup.system, setup.signIn.email)).at(-1)
      assert.equal(mail?.subject, accessNotifications[access].title.replace('{{login}}', fixtureLogin))
      assert.doesNotMatch(mail?.text ?? '', /Chargeback/)
      assert.equal((await set('full')).status, 200)
      assert.deepEqual(await both(), [true, true, 'active', false])
    })

  test('requires a reason and the right', async () => {
    assert.deepEqual((await set('read_only', { reason: ' ' })).status, 422)
    for (const role of ['viewer', 'support', 'finance'])
      assert.equal((await set('read_only', { as: await signIn(role) })).status, 403)
    assert.deepEqual(await both(), [true, true, 'active', false])
  })

  test('gives no access without a fresh proof of identity, and takes it', async () => {
    setup.context.clock.advance(16 * 60_000)
    assert.equal((await set('full')).status, 200, 'it has that access')
    assert.equal((await set('disabled')).status, 200)
    setup.context.clock.advance(120_000)
    for (const access of ['read_only', 'full']) {
      const { status, body } = await set(access)
      assert.deepEqual([status, body.code], [403, 'proof_required'], access)
    }
    assert.deepEqual(await both(), [false, false, 'disabled', true])
  })

  test('is a no-op when nothing changes, and happens once for concurrent calls', async () => {
    await set('full')
    assert.deepEqual([await entries(), sentTo(updating)], [[], 0])
    const answers = await Promise.all([1, 2, 3].map(() => set('read_only')))
    assert.ok(answers.every(({ status }) => status === 200 || status === 409))
    assert.deepEqual([await entries(), sentTo(updating)], [['asked', 'changed'], 1])
  })

  test('does not undo what a colleague has set since the page was opened', async () => {
    assert.equal((await set('disabled', { seen: 'full' })).status, 200)
    setup.context.clock.advance(120_000)
    for (const access of ['full', 'read_only']) {
      const late = await set(access, { seen: 'full' })
      assert.deepEqual([late.status, late.body.error], [409, accessTexts.changed])
    }
    assert.deepEqual([await both(), sentTo(updating)], [[false, false, 'disabled', true], 1])
    // Repeated after a lost answer.
    assert.equal((await set('disabled', { seen: 'full' })).status, 200)
    assert.equal((await set('full', { seen: 'disabled' })).status, 200)
  })

  test('refuses an account whose number the platform gave to somebody else', async () => {
    const { memberId } = setup.member
    const [login, registered] = ['700779', new Date(setup.context.clock.now().getTime() - 400 * 86_400_000)]
    const seed = { login, group: 'real\\standard-usd', name: 'Bea Another', leverage: 100 }
    setup.simulator.control.seedAccounts([seed])
    const place = { memberId, platformId: setup.platformId, platform_login: login }
    const id = await addAccount(setup.system, { ...place, platform_registered_at: registered })
    const answer = await set('disabled', { id })
    assert.deepEqual([answer.status, answer.body.error], [409, accessTexts.otherAccount])
    assert.deepEqual([sentTo(updating), await entries()], [0, []])
  })

  test('refuses an archived account', async () => {
    const { memberId } = setup.member
    const id = await addAccount(setup.system, { memberId, platformId: setup.platformId, archived: true })
    const answer = await set('read_only', { id })
    assert.deepEqual([answer.status, answer.body.error], [409, accessTexts.unusable])
  })
})

describe('when a platform does not answer', () => {
  test('reads it back and finds the change made', async () => {
    setup.simulator.control.addFault({ path: updating, times: 1, kind: 'execute-then-drop' })
    assert.equal((await set('read_only')).status, 200)
    assert.deepEqual(
      [await both(), await entries()],
      [
        [true, false, 'active', true],
        ['asked', 'changed'],
      ],
    )
    assert.equal(sentTo(updating), 1)
  })

  test('reports an unchanged account without a notification, and a second try succeeds', async () => {
    setup.simulator.control.addFault({ path: updating, times: 1, kind: 'drop-before' })
    const answer = await set('read_only')
    assert.deepEqual([answer.status, await both()], [503, [true, true, 'active', false]])
    assert.equal((await set('read_only')).status, 200)
    assert.deepEqual(await both(), [true, false, 'active', true])
  })

  test('reports an unknown outcome, and the next try reads first and only records the change', async () => {
    setup.simulator.control.addFault({ path: updating, times: 1, kind: 'execute-then-drop' })
    // The connection is lost with the answer.
    setup.simulator.control.addFault({ path: '/api/auth/start', times: 20, kind: 'drop-before' })
    const answer = await set('disabled')
    assert.deepEqual([answer.status, answer.body.error], [503, accessTexts.unknown])
    assert.deepEqual(await entries(), ['asked', 'unknown'])
    setup.simulator.control.clearFaults()
    assert.equal((await set('disabled')).status, 200)
    assert.deepEqual([await both(), sentTo(updating)], [[false, false, 'disabled', true], 1])
  })

  test('reports an unreachable platform and writes nothing', async () => {
    const dead = await addPlatform(setup.system)
    const id = await addAccount(setup.system, { memberId: setup.member.memberId, platformId: dead })
    const answer = await set('read_only', { id })
    assert.deepEqual([answer.status, answer.body.error, await entries()], [503, deskTexts.platformSilent, []])
  })
})

describe('two concurrent changes of the access of an account', () => {
  let setup: Mt4Fixture
  before(async () => {
    setup = await openMt4Fixture()
  })
  after(() => setup.close())

  for (const [at, path] of [
    ['before the first has set anything', 'GET /v1/accounts/{login}'],
    ['after the first has set it', 'PATCH /v1/accounts/{login}/access'],
  ] as const)
    test(`take effect once if the second reads the platform ${at}`, async () => {
      const staff = await provenStaff(setup.system, await addStaff(setup.system, { role: 'compliance' }))
      const { control } = setup.simulator
      const change = (access: 'full' | 'read_only') =>
        changeAccountAccess(staff, setup.accountId, { access, reason: 'Chargeback under review' }).then(
          () => 'made',
          (problem: Error) => problem.message,
        )
      assert.equal(await change('full'), 'made')
      setup.context.clock.advance(1)
      control.clearCalls()
      control.addFault({ path, times: 1, kind: 'late-answer', ms: 3_600_000 })
      const first = change('read_only')
      await eventually('the platform has applied the change', async () =>
        control.calls().some((call) => call.call === path),
      )
      const second = await change('read_only')
      control.landPending()
      assert.deepEqual([await first, second].sort(), [accessTexts.underWay, 'made'])
      const changes = await reading(staff, (tx) =>
        tx
          .selectFrom('audit_log')
          .select('at')
          .where('workspace_id', '=', staff.workspaceId)
          .where('subject_id', '=', setup.accountId)
          .where('action', '=', 'account.access-changed')
          .where('at', '=', setup.context.clock.now())
          .execute(),
      )
      assert.equal(changes.length, 1)
    })
})
