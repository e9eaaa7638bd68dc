import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { features } from '@atrium/contract/access/scopes.ts'
import * as accounts from '@atrium/contract/accounts/calls.ts'
import { accountMetricsEvent, endEvent, watchAccountMetrics } from '@atrium/contract/accounts/live-metrics.ts'
import type { Call } from '@atrium/contract/call.ts'
import { bellEvent, watchNotifications } from '@atrium/contract/notifications/calls.ts'
import * as sessions from '@atrium/contract/sessions/calls.ts'
import * as deskSessions from '@atrium/contract/sessions/desk-calls.ts'
import * as workspaces from '@atrium/contract/workspace-settings/calls.ts'
import type { z } from 'zod'
import { readDeskUser } from '../features/desk-session/read-desk-user.ts'
import * as first from './first-calls.ts'

const id = '0190a0b0-0000-4000-8000-000000000001'
const settings = {
  brand: { name: 'Harbour', accent: '#112233', logo_url: null, support_email: 'help@harbour.example' },
  features: Object.fromEntries(features.map((feature) => [feature, true])),
  default_currency: 'USD',
  vendors: ['north'],
  vendor: null,
  departments: [],
  password_chars_max: 128,
  bank_name_chars_max: 100,
  time_zone: 'Europe/London',
  account_openings: { live: true, demo: false },
  demo: false,
}
const equity = {
  status: 'ok',
  from: 1,
  to: 2,
  accounts: [
    { _id: id, points: [{ at: 1, equity: '10.00' }], day_equity: null },
    { _id: id, points: [] },
  ],
}
const live = {
  _id: id,
  balance: '1.00',
  equity: '1.00',
  credit: null,
  floating_pnl: '0.00',
  margin: null,
  margin_free: null,
  margin_level: null,
  leverage: 100,
  balance_as_of: null,
  balance_is_live: true,
}

type Checked = { check: (value: unknown) => boolean; schema: z.ZodType; sample: object }
const byCall = (call: Call, schema: z.ZodType, sample: object): Checked => ({
  check: (value) => call.answer.safeParse(value).success,
  schema,
  sample,
})
const checked: Record<string, Checked> = {
  settings: byCall(first.readSettings, workspaces.readSettings.answer, { status: 'ok', settings }),
  permissions: byCall(first.readPermissions, sessions.readPermissions.answer, {
    status: 'ok',
    permissions: ['deposit'],
    code: 0,
  }),
  'recent equity': byCall(first.readRecentEquity, accounts.readRecentEquity.answer, equity),
  activity: byCall(first.reportActivity, sessions.reportActivity.answer, { status: 'ok' }),
  'desk user': byCall(readDeskUser, deskSessions.readDeskUser.answer, {
    status: 'ok',
    user: { _id: id, name: 'Una', email: 'una@harbour.example', type: 'admin', picture: null },
  }),
  bell: { check: first.isBell, schema: bellEvent, sample: { unread: 1, number: 2 } },
  metrics: { check: first.isAccountMetrics, schema: accountMetricsEvent, sample: { accounts: [live], gone: [id] } },
  end: { check: first.isEnd, schema: endEvent, sample: { code: 'unavailable' } },
}

const wrongs: unknown[] = [undefined, null, true, 1.5, 'word', [], [null], {}]

/** Yields copies of the sample with one value, at any depth, replaced by a wrong one. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* wrongs
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) for (const other of spoiled(inner)) yield value.with(index, other)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      for (const other of spoiled(inner)) yield { ...value, [name]: other }
  }
}

/** A hand-written check verifies types only; the format of texts and numbers is left to the server. */
const isOfContent = ({ code, ...issue }: z.core.$ZodIssue): boolean =>
  code === 'invalid_format' || (code === 'invalid_type' && 'format' in issue && issue.format === 'safeint')

describe('calls of the first screens', () => {
  const calls: [Call, Call][] = [
    [first.readSettings, workspaces.readSettings],
    [first.readPermissions, sessions.readPermissions],
    [first.readRecentEquity, accounts.readRecentEquity],
    [first.reportActivity, sessions.reportActivity],
    [readDeskUser, deskSessions.readDeskUser],
  ]
  it('match the method and path of the contract', () => {
    for (const [own, contract] of calls)
      assert.deepEqual(
        { method: own.method, path: own.path, isHarmlessTwice: own.isHarmlessTwice },
        { method: contract.method, path: contract.path, isHarmlessTwice: contract.isHarmlessTwice },
      )
    assert.deepEqual(first.paths, {
      signOut: sessions.signOut.path,
      watchAccountMetrics: watchAccountMetrics.path,
      watchNotifications: watchNotifications.path,
    })
  })

  for (const [name, { check, schema, sample }] of Object.entries(checked))
    it(`agrees with the schema of the contract: ${name}`, () => {
      assert.equal(check(sample), true)
      assert.equal(schema.safeParse(sample).success, true)
      let refused = 0
      for (const answer of spoiled(sample)) {
        const { error } = schema.safeParse(answer)
        if (error?.issues.every(isOfContent)) continue
        assert.equal(check(answer), error === undefined, JSON.stringify(answer))
        if (error) refused += 1
      }
      assert.ok(refused > wrongs.length - 2, `${refused} answers were refused`)
    })
})
