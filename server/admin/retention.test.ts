import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { notificationDays } from '@atrium/contract/desk-notifications.ts'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import pg from 'pg'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { callerOf } from '../testing/caller.ts'
import { commandLine } from '../testing/command-line.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addStaff, addWorkspace } from '../testing/harbour.ts'
import { chooseNotificationDays, readNotificationDays } from '../workspaces/kept-times.ts'
import { fixedTimes } from './retention.ts'

let made: MadeGround
let north: System
let south: System
let owner: pg.Client
before(async () => {
  made = await makeGround()
  north = await addWorkspace(made.ground, { subdomain: 'north', settings: { notification_days: 30, leverage: [500] } })
  south = await addWorkspace(made.ground, { subdomain: 'south' })
  owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await made.close()
})

const { admin } = commandLine(() => ({ databaseUrl: made.ownerUrl, folder: made.folder }))
type Time = { kind: string; days: number; decided_by: string }
const listed = async (workspace: string): Promise<Time[]> =>
  JSON.parse((await admin('retention', 'list', workspace, '--json')).out)

test('how long each kind is kept is listed, with what the brokerage chose', async () => {
  const [chosen, ...fixed] = await listed('north')
  assert.deepEqual([chosen?.kind, chosen?.days, chosen?.decided_by], ['vendor-messages', 30, 'the brokerage'])
  assert.deepEqual(
    fixed.map(({ kind, days, decided_by }) => [kind, days, decided_by]),
    fixedTimes.map(({ kind, days }) => [kind, days, 'Atrium']),
  )
  assert.match((await admin('retention', 'list', 'north')).out, /^kind: sessions {3}days: 90 {3}after: they ended/m)
  assert.equal((await admin('retention', 'list', 'nowhere')).code, 2)
})

test('a time is chosen as the desk would, told in the audit log, and a form of the desk that was open is told', async () => {
  assert.deepEqual(JSON.parse((await admin('retention', 'set', 'north', 'vendor-messages', '400', '--json')).out), {
    kind: 'vendor-messages',
    days: 400,
  })
  assert.equal((await admin('retention', 'set', 'north', 'vendor-messages', '400')).code, 0)
  assert.equal(await readNotificationDays(north), 400)
  assert.equal(await readNotificationDays(south), notificationDays.usual)
  const kept = await owner.query(`select settings->'notification_days' as days, settings->'leverage' as leverage,
    versions->'security'->'version' as version from workspaces
    where subdomain = 'north'`)
  assert.deepEqual(kept.rows, [{ days: 400, leverage: [500], version: 1 }])
  const told = await owner.query(`select before, after from audit_log where action = 'workspace.security-changed'`)
  assert.deepEqual(told.rows, [{ before: { notification_days: 30 }, after: { notification_days: 400 } }])

  const app = await buildApp(made.ground)
  const caller = callerOf(app, 'north.localhost')
  const token = await caller.signIn(await addStaff(north, { role: 'administrator' }), 'desk')
  const { workspace } = JSON.parse((await caller.get('/desk/api/workspace', token)).raw)
  assert.equal(workspace.sections.security.notification_days, 400)
  await app.close()
})

test('what is fixed, unknown or out of bounds is a wrong call and changes nothing', async () => {
  for (const [kind, days, said] of [
    ['sessions', '30', /How long sessions are kept is fixed/],
    ['flying', '30', /There is no kind flying .*vendor-messages/],
    ['vendor-messages', 'ever', /^Enter days, from 7 to 3650\.\n$/],
  ] as const) {
    const { code, out } = await admin('retention', 'set', 'south', kind, days)
    assert.equal(code, 2, `${kind} ${days}: ${out}`)
    assert.match(out, said)
  }
  const { out } = await admin('retention', 'set', 'south', 'vendor-messages', '6', '--json')
  assert.deepEqual(JSON.parse(out), { error: deskTexts.notificationDays, code: 'invalid_input' })
  for (const days of [3_651, 7.5, -90])
    await assert.rejects(chooseNotificationDays(south, days), {
      code: 'invalid_input',
      message: deskTexts.notificationDays,
    })
  assert.equal(await readNotificationDays(south), notificationDays.usual)
})

test('docs/retention.md says the same times, and no others', () => {
  const page = readFileSync(new URL('../../docs/retention.md', import.meta.url), 'utf8')
  const part = /^## What goes by itself$(.*?)^## /ms.exec(page)?.[1] ?? ''
  const rows = [...part.matchAll(/^\| (.*?) \| (.*) \| .*\|$/gm)]
    .slice(2)
    .map(([, tables = '', kept = '']) => ({ tables, kept }))
  for (const { kind, table, days } of fixedTimes) {
    const row = rows.find(({ tables, kept }) => `${tables} ${kept}`.includes(`\`${table}\``))
    assert.match(row?.kept ?? '', days === 1 ? /\b(a|one) day\b/ : new RegExp(`\\b${days}\\b`), kind)
  }
  const said = new Set(rows.flatMap(({ kept }) => kept.match(/\d+/g) ?? []).map(Number))
  const known = new Set([
    ...Object.values(notificationDays),
    ...fixedTimes.map(({ days }) => days).filter((days) => days > 1),
  ])
  assert.deepEqual([...said].sort(), [...known].sort())
})
