// spec: DK record, DK workspace
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { features } from '@atrium/contract/access/scopes.ts'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { staffRoles } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openTwoApps } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let secondApp: FastifyInstance
let caller: Caller
let second: Caller
let token: string
let member: MadeMember
let memberToken: string
let host = 0

before(async () => {
  ;({ made, app, secondApp, close } = await openTwoApps())
})
after(() => close())
beforeEach(async () => {
  made.context.clock.advance(15 * 60_000 + 1)
  const subdomain = `harbour-${++host}`
  system = await addWorkspace(made.context, { subdomain })
  caller = callerOf(app, `${subdomain}.localhost`)
  second = callerOf(secondApp, `${subdomain}.localhost`)
  token = await tokenOf('staff', (await addStaff(system, { name: 'Ada Admin' })).staffId)
  member = await addMember(system)
  memberToken = await tokenOf('member', member.memberId)
})

const tokenOf = async (kind: 'staff' | 'member', id: string) => (await openTestSession(system, { kind, id })).token

type Shown = {
  sections: Record<string, Record<string, unknown>>
  versions: Record<string, { version: number; by: string | null }>
}
const read = async (bearer = token) => (await second.get('/desk/api/workspace', bearer)).body.workspace as Shown

async function save(section: string, change: object, { version, by = caller }: { version?: number; by?: Caller } = {}) {
  const { sections, versions } = await read()
  const known = version ?? versions[section]?.version
  return by.post('/desk/api/workspace/change', { ...sections[section], ...change, section, version: known }, token)
}

const needed = 'second_factor_required'

const vendorOfMembers = {
  ...{ vendor: 'North', name: null, accent: null, default_currency: null, departments: null },
  support_email: 'help@lookalike.test',
}

type Values = Record<string, unknown>
async function entries(action: string) {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('workspace_id', '=', system.workspaceId)
      .where('action', '=', action)
      .execute(),
  )
  return rows.map((row) => ({ before: row.before as Values, after: row.after as Values }))
}

describe('workspace settings', () => {
  test('apply the brand on every process from the next call, and audit the previous one', async () => {
    const answer = await save('brand', { name: 'Lighthouse', accent: '#aa3300', support_email: 'help@light.test' })
    assert.equal(answer.status, 200, answer.raw)
    const { settings } = (await second.get('/members/crm-settings')).body as { settings: { brand: object } }
    assert.deepEqual(settings.brand, {
      name: 'Lighthouse',
      accent: '#aa3300',
      logo_url: null,
      support_email: 'help@light.test',
    })
    const [entry, ...more] = await entries('workspace.brand-changed')
    assert.equal(entry?.after.name, 'Lighthouse')
    assert.match(String(entry?.before.name), /^Brokerage /)
    assert.equal(more.length, 0)
  })

  test('refuse a disabled feature immediately, in open sessions too', async () => {
    const off = Object.fromEntries(features.map((feature) => [feature, feature !== 'deposits']))
    const create = () => caller.post('/members/deposits/create', {}, memberToken)
    assert.equal((await create()).status, 422)
    assert.equal((await save('features', { features: off })).status, 200)
    const refused = await create()
    assert.deepEqual([refused.status, refused.body.code], [404, 'feature_off'])
    const [entry] = await entries('workspace.features-changed')
    assert.match(JSON.stringify(entry?.before), /"deposits":true/)
  })

  test('refuse a permission denied to all immediately, except to members who have it explicitly', async () => {
    const given = await addMember(system, { permissions: ['deposit'] })
    const tokens = [memberToken, await tokenOf('member', given.memberId)]
    assert.equal((await save('permissions', { default_permissions: ['deposit-'] })).status, 200)
    const statuses = []
    for (const bearer of tokens) statuses.push((await caller.post('/members/deposits/create', {}, bearer)).status)
    assert.deepEqual(statuses, [403, 422])
  })

  test('raise the password length for sign-in, reset and change', async () => {
    const long = `Aa1${'x'.repeat(100)}`
    const change = () =>
      caller.post(
        '/members/change-password',
        { current_password: member.password, password: long, password_confirmation: long },
        memberToken,
      )
    assert.equal((await change()).status, 422)
    assert.equal((await save('security', { password_chars_max: 128 })).status, 200)
    assert.equal((await change()).status, 200)
    await caller.signIn({ email: member.email, password: long })
    const { settings } = (await caller.get('/members/crm-settings')).body as {
      settings: { password_chars_max: number }
    }
    assert.equal(settings.password_chars_max, 128)
  })

  test('apply shorter sessions immediately to members and staff, and keep them ended when the clock goes back', async () => {
    const isIn = async (bearer: string) => (await second.get('/user/permissions', bearer)).status === 200
    made.context.clock.advance(6 * 60_000)
    assert.equal(await isIn(memberToken), true)
    assert.equal((await save('security', { session_idle_minutes: 5 })).status, 200)
    assert.equal(await isIn(memberToken), false)
    assert.equal((await second.get('/desk/api/me', token)).status, 401)
    made.context.clock.advance(-5 * 60_000)
    assert.equal(await isIn(memberToken), false)
  })

  test('require a second factor from the next call, and turn off withdrawal holds on request', async () => {
    const rules = { second_factor_members: 'required', second_factor_staff: 'required', hold_withdrawals: false }
    assert.equal((await save('security', rules)).status, 200)
    const refused = (await second.get('/user/permissions', memberToken)).body.code
    assert.deepEqual([refused, (await second.get('/desk/api/me', token)).body.code], Array(2).fill(needed))
    const [entry] = await entries('workspace.security-changed')
    assert.deepEqual(entry?.before, {
      second_factor_members: 'optional',
      second_factor_staff: 'optional',
      hold_withdrawals: true,
    })
    assert.deepEqual(entry?.after, rules)
  })

  test('require a fresh proof to change what protects money and access, and whom members trust', async () => {
    made.context.clock.advance(15 * 60_000 + 1)
    token = await tokenOf('staff', (await addStaff(system)).staffId)
    made.context.clock.advance(15 * 60_000 + 1)
    const before = (await read()).sections
    for (const [section, change] of [
      ['security', { hold_withdrawals: false }],
      ['accounts', { default_bank_accounts_for_clients: [await addCompanyBankAccount(system)] }],
      ['permissions', { default_permissions: ['withdraw-'] }],
      ['features', { features: Object.fromEntries(features.map((feature) => [feature, false])) }],
      ['brand', { support_email: 'help@lookalike.test' }],
      ['brand', { name: 'Lookalike' }],
      ['vendors', { vendor_settings: [vendorOfMembers] }],
    ] as const) {
      const answer = await save(section, change)
      assert.deepEqual([answer.status, answer.body.code], [403, 'proof_required'], section)
    }
    assert.deepEqual((await read()).sections, before)
    const lists = { departments: ['Accounts'] }
    assert.equal((await save('lists', lists)).status, 200)
  })

  test('keep settings that an older page does not know', async () => {
    assert.equal((await save('security', { notice_days: 500 })).status, 200)
    const { version } = (await read()).versions.security ?? {}
    const sent = { section: 'security', version, hold_withdrawals: false }
    assert.equal((await caller.post('/desk/api/workspace/change', sent, token)).status, 200)
    const { security } = (await read()).sections
    assert.deepEqual([security?.notice_days, security?.hold_withdrawals], [500, false])
  })

  test('keep a section that only a newer version knows', async () => {
    const client = await made.openOwner()
    const youngest = { version: 3, by: 'Ada Admin', at: 1 }
    await client.query(
      `update workspaces set versions = jsonb_build_object('weather', $1::jsonb) where workspace_id = $2`,
      [JSON.stringify(youngest), system.workspaceId],
    )
    assert.equal((await save('brand', { name: 'Lighthouse' })).status, 200)
    const stored = await client.query(`select versions->'weather' as weather from workspaces where workspace_id = $1`, [
      system.workspaceId,
    ])
    assert.deepEqual(stored.rows, [{ weather: youngest }])
  })

  test('show members the opening rules, leverage and bank accounts', async () => {
    const bank = await addCompanyBankAccount(system)
    const rule = { enabled: false, account_limit: -1, require_kyc: false }
    const answer = await save('accounts', {
      default_currency: 'EUR',
      acc_creation_live_configuration: rule,
      leverage: [500, 1],
      default_bank_accounts_for_clients: [bank],
    })
    assert.equal(answer.status, 200, answer.raw)
    const { config } = (await caller.get('/members/trading/configuration', memberToken)).body as {
      config: Record<string, unknown>
    }
    assert.deepEqual(
      [config.acc_creation_live_configuration, config.leverage, config.default_bank_accounts_for_clients],
      [rule, [500, 1], [bank]],
    )
  })

  test('keep the order and spelling of vendors and departments', async () => {
    const vendors = ['Zürich <b>desk</b>', 'constructor', 'Ähre 🌾']
    assert.equal((await save('lists', { vendors, departments: [] })).status, 200)
    const archived = { archived_vendors: [], archived_departments: [] }
    assert.deepEqual((await read()).sections.lists, { vendors, departments: [], ...archived })
  })
})

describe('invalid settings', () => {
  const rule = (minimum: string, maximum: string) => ({
    ...{ method: 'bank_account', currency: 'USD', enabled: true, fee_fixed: '0', fee_percent: '0' },
    ...{ minimum, maximum },
  })
  const twice = ['1000', '100000'].map((above) => ({ currency: 'USD', above }))
  const cases: [string, object, string, string][] = [
    ['brand', { name: '  ' }, 'name', texts.nameMissing],
    ['brand', { accent: 'red;}' }, 'accent', deskTexts.accentInvalid],
    ['brand', { support_email: 'nobody' }, 'support_email', texts.emailInvalid],
    ['accounts', { default_currency: 'dollar' }, 'default_currency', deskTexts.currencyInvalid],
    ['accounts', { leverage: [] }, 'leverage', deskTexts.leverageMissing],
    ['accounts', { leverage: [100, 100] }, 'leverage', deskTexts.listTwice],
    ['accounts', { leverage: [0] }, 'leverage', deskTexts.leverageInvalid],
    [
      'accounts',
      { default_bank_accounts_for_clients: [newId()] },
      'default_bank_accounts_for_clients',
      accountTexts.bankAccountUnknown,
    ],
    ['security', { password_chars_max: 19 }, 'password_chars_max', deskTexts.passwordCharsMax],
    ['security', { password_chars_max: 129 }, 'password_chars_max', deskTexts.passwordCharsMax],
    ['security', { session_idle_minutes: 31 }, 'session_idle_minutes', deskTexts.sessionIdle],
    ['security', { session_hours_max: 13 }, 'session_hours_max', deskTexts.sessionAge],
    ['security', { destination_rest_hours: 169 }, 'destination_rest_hours', deskTexts.beneficiaryCoolingOff],
    ['security', { bank_name_chars_max: 141 }, 'bank_name_chars_max', deskTexts.bankNameCharsMax],
    ['security', { bank_name_chars_max: 49 }, 'bank_name_chars_max', deskTexts.bankNameCharsMax],
    ['security', { notification_days: 6 }, 'notification_days', deskTexts.retentionDays],
    ['security', { session_days: 29 }, 'session_days', deskTexts.sessionDays],
    ['security', { mail_days: 3_651 }, 'mail_days', deskTexts.retentionDays],
    ['security', { notice_days: 89 }, 'notice_days', deskTexts.notificationDays],
    ['security', { draft_days: 7.5 }, 'draft_days', deskTexts.retentionDays],
    ['security', { second_factor_staff: 'off' }, 'second_factor_staff', deskTexts.secondFactorRule],
    ['withdrawals', { withdrawal_rules: [rule('500', '100')] }, 'withdrawal_rules', deskTexts.termsReversed],
    ['withdrawals', { withdrawal_four_eyes_above: twice }, 'withdrawal_four_eyes_above', deskTexts.listTwice],
    ['deposits', { deposit_second_approval_above: twice }, 'deposit_second_approval_above', deskTexts.listTwice],
    ['deposits', { deposit_needs_identity_above: twice }, 'deposit_needs_identity_above', deskTexts.listTwice],
    ['permissions', { default_permissions: ['deposit'] }, 'default_permissions', deskTexts.permissionUnknown],
    ['lists', { vendors: ['A', 'a'] }, 'vendors', deskTexts.listTwice],
    // Settings are keyed by vendor, and an object silently drops this key.
    ['lists', { vendors: ['__proto__'] }, 'vendors', deskTexts.nameRefused],
  ]
  for (const [section, change, field, sentence] of cases) {
    test(`are refused at the field ${field} of ${section}: ${JSON.stringify(change)}`, async () => {
      const answer = await save(section, change)
      assert.deepEqual([answer.status, answer.body.errors], [422, { [field]: [sentence] }], answer.raw)
      assert.equal((await read()).versions[section]?.version, 0)
    })
  }

  test('leave the same minimum and maximum, and a currency once in each list', async () => {
    const saved = await save('withdrawals', {
      withdrawal_rules: [rule('100', '100.00')],
      withdrawal_four_eyes_above: twice.slice(1),
    })
    assert.equal(saved.status, 200, saved.raw)
  })

  test('refuse another workspace’s bank account', async () => {
    const foreign = await addCompanyBankAccount(await addWorkspace(made.context))
    const answer = await save('accounts', { default_bank_accounts_for_clients: [foreign] })
    assert.equal(answer.status, 422)
  })
})

describe('concurrent saves', () => {
  test('refuse the second of two tabs, and keep the first’s changes', async () => {
    assert.equal((await save('brand', { name: 'First' })).status, 200)
    const late = await save('brand', { accent: '#112233' }, { version: 0 })
    assert.deepEqual([late.status, late.body.code, late.body.error], [409, 'conflict', deskTexts.settingsChanged])
    const { sections, versions } = await read()
    assert.deepEqual(
      [sections.brand?.name, versions.brand],
      ['First', { ...versions.brand, version: 1, by: 'Ada Admin' }],
    )
  })

  test('do not conflict in different sections', async () => {
    await save('brand', { name: 'First' })
    assert.equal((await save('lists', { vendors: ['A'] }, { version: 0 })).status, 200)
  })

  test('are one change when their content is identical', async () => {
    for (const _ of [1, 2]) assert.equal((await save('brand', { name: 'Twice' }, { version: 0 })).status, 200)
    assert.equal((await entries('workspace.brand-changed')).length, 1)
  })

  test('succeed once across two processes, and the others are refused', async () => {
    const before = await read()
    const send = (by: Caller, name: string) =>
      by.post('/desk/api/workspace/change', { ...before.sections.brand, name, section: 'brand', version: 0 }, token)
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name, index) => send(index % 2 ? caller : second, name)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  })
})

describe('permissions for settings', () => {
  test('only roles with the permission read or change settings; others are refused', async () => {
    const other = await addWorkspace(made.context)
    const { staffId } = await addStaff(other)
    const otherStaff = (await openTestSession(other, { kind: 'staff', id: staffId })).token
    const calls = [
      (bearer?: string) => caller.get('/desk/api/workspace', bearer),
      (bearer?: string) => caller.post('/desk/api/workspace/change', {}, bearer),
      (bearer?: string) => caller.post('/desk/api/workspace/logo', { logo: '!' }, bearer),
    ]
    for (const call of calls) {
      for (const role of staffRoles) {
        const { status } = await call(await tokenOf('staff', (await addStaff(system, { role })).staffId))
        // Independent of the table of permissions, which this test checks.
        assert.equal(status === 403, role !== 'administrator', `${role} ${status}`)
      }
      for (const nobody of [undefined, memberToken, otherStaff]) assert.equal((await call(nobody)).status, 401)
    }
  })
})
