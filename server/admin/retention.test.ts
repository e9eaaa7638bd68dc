// spec: OP operation
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { chosenDays, chosenTimes, fixedDays, fixedTimes } from '@atrium/contract/workspaces/retention.ts'
import type pg from 'pg'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addStaff, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { chooseDays, readChosenDays } from '../workspaces/retention.ts'
import { explain } from './commands.ts'
import { chosenKinds, fixedKinds, retentionCommands } from './retention.ts'

let made: MadeContext
let north: System
let south: System
let owner: pg.Client
before(async () => {
  made = await makeTestContext()
  north = await addWorkspace(made.context, { subdomain: 'north', settings: { notification_days: 30, leverage: [500] } })
  south = await addWorkspace(made.context, { subdomain: 'south' })
  owner = await made.openOwner()
})
after(() => made.close())

const { admin } = commandLine(() => ({ databaseUrl: made.ownerUrl, folder: made.folder }))
type Time = { kind: string; days: number; decided_by: string }
const listed = async (workspace: string): Promise<Time[]> =>
  JSON.parse((await admin('retention', 'list', workspace, '--json')).out)

const usualDays = Object.fromEntries(chosenTimes.map((time) => [time, chosenDays[time].usual]))
const daysOf = async (system: System) => {
  const chosen = await readChosenDays(system)
  return Object.fromEntries(chosenTimes.map((time) => [time, chosen[time]]))
}

test('lists the retention of each kind of data with what the brokerage chose', async () => {
  assert.deepEqual(
    (await listed('north')).map(({ kind, days, decided_by }) => [kind, days, decided_by]),
    [
      ['vendor-messages', 30, 'the brokerage'],
      ['sessions', 90, 'the brokerage'],
      ['mails', 90, 'the brokerage'],
      ['notifications', 400, 'the brokerage'],
      ['form-drafts', 90, 'the brokerage'],
      ['erased-documents', 3_650, 'the brokerage'],
      ...fixedTimes.map((time) => [fixedKinds[time].kind, fixedDays[time], 'Atrium']),
    ],
  )
  assert.match((await admin('retention', 'list', 'north')).out, /^kind: sessions {3}days: 90 {3}after: they ended/m)
  assert.equal((await admin('retention', 'list', 'nowhere')).code, 2)
})

test('sets a retention as the desk does, writes an audit entry, and an open desk form then conflicts', async () => {
  assert.deepEqual(JSON.parse((await admin('retention', 'set', 'north', 'vendor-messages', '400', '--json')).out), {
    kind: 'vendor-messages',
    days: 400,
  })
  assert.equal((await admin('retention', 'set', 'north', 'vendor-messages', '400')).code, 0)
  const stored = await owner.query(`select settings->'notification_days' as days, settings->'leverage' as leverage,
    versions->'security'->'version' as version from workspaces
    where subdomain = 'north'`)
  assert.deepEqual(stored.rows, [{ days: 400, leverage: [500], version: 1 }])
  const entries = await owner.query(`select before, after from audit_log where action = 'workspace.security-changed'`)
  assert.deepEqual(entries.rows, [{ before: { notification_days: 30 }, after: { notification_days: 400 } }])

  const chosen = {
    ...{ notification_days: 400, session_days: 365, mail_days: 31, notice_days: 1_000, draft_days: 14 },
    paper_days: 1_825,
  }
  assert.equal((await admin('retention', 'set', 'north', 'sessions', '365')).code, 0)
  for (const time of chosenTimes) await chooseDays(north, time, chosen[time])
  assert.deepEqual([await daysOf(north), await daysOf(south)], [chosen, usualDays])

  const app = await buildApp(made.context)
  const caller = callerOf(app, 'north.localhost')
  const token = await caller.signIn(await addStaff(north, { role: 'administrator' }), 'desk')
  const { workspace } = JSON.parse((await caller.get('/desk/api/workspace', token)).raw)
  const { security } = workspace.sections
  assert.deepEqual(Object.fromEntries(chosenTimes.map((time) => [time, security[time]])), chosen)
  await app.close()
})

test('refuses a retention that is fixed, unknown or out of bounds, and changes nothing', async () => {
  for (const [kind, days, said] of [
    ['known-devices', '30', /The retention of known-devices is fixed/],
    ['flying', '30', /Unknown kind: flying.*vendor-messages/],
    ['vendor-messages', 'ever', /^Enter days, from 7 to 3650\.\n$/],
    ['vendor-messages', '1e2', /^Enter days, from 7 to 3650\.\n$/],
    ['vendor-messages', '0x10', /^Enter days, from 7 to 3650\.\n$/],
  ] as const) {
    const { code, err } = await admin('retention', 'set', 'south', kind, days)
    assert.equal(code, 2, `${kind} ${days}: ${err}`)
    assert.match(err, said)
  }
  const { out } = await admin('retention', 'set', 'south', 'sessions', '29', '--json')
  assert.deepEqual(JSON.parse(out), { error: deskTexts.sessionDays, code: 'invalid_input' })
  for (const days of [3_651, 7.5, -90])
    await assert.rejects(chooseDays(south, 'mail_days', days), {
      code: 'invalid_input',
      message: deskTexts.retentionDays,
    })
  assert.deepEqual(await daysOf(south), usualDays)
})

test('the help and the error message name the same bounds', () => {
  const out = retentionCommands.map(explain).join('\n')
  const said = {
    notification_days: deskTexts.retentionDays,
    session_days: deskTexts.sessionDays,
    mail_days: deskTexts.retentionDays,
    notice_days: deskTexts.notificationDays,
    draft_days: deskTexts.retentionDays,
    paper_days: deskTexts.kycDocumentDays,
  }
  for (const time of chosenTimes) {
    const { min, max } = chosenDays[time]
    assert.match(out, new RegExp(`^  ${chosenKinds[time].kind} ${min} to ${max}$`, 'm'))
    assert.equal(said[time], `Enter days, from ${min} to ${max}.`)
  }
})

test('docs/operators/retention.md lists exactly these retentions', () => {
  const page = readFileSync(new URL('../../docs/operators/retention.md', import.meta.url), 'utf8')
  const part = /^## Deleted automatically$(.*?)^## /ms.exec(page)?.[1] ?? ''
  const rows = [...part.matchAll(/^\| (.*?) \| (.*) \| .*\|$/gm)]
    .slice(2)
    .map(([, tables = '', stored = '']) => ({ tables, stored }))
  const rowOf = (table: string) =>
    rows.find(({ tables, stored }) => `${tables} ${stored}`.includes(`\`${table}\``))?.stored ?? ''
  for (const time of fixedTimes) {
    const days = fixedDays[time]
    assert.match(rowOf(fixedKinds[time].table), days === 1 ? /\b(a|one) day\b/ : new RegExp(`\\b${days}\\b`), time)
  }
  for (const time of chosenTimes) {
    const { usual, min, max } = chosenDays[time]
    assert.match(rowOf(chosenKinds[time].table), new RegExp(`\\b${usual}\\b.*from ${min} to ${max}\\b`), time)
  }
  const said = new Set(rows.flatMap(({ stored }) => stored.match(/\d+/g) ?? []).map(Number))
  const known = new Set(
    [...Object.values(fixedDays), ...chosenTimes.flatMap((time) => Object.values(chosenDays[time]))].filter(
      (days) => days > 1,
    ),
  )
  assert.deepEqual([...said].sort(), [...known].sort())
})
