// spec: OP operation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { reconcileDay } from '../reconciliation/reconcile-day.ts'
import { readSwitches } from '../workspaces/switches.ts'

let made: MadeContext
let north: System
let owner: pg.Client
before(async () => {
  made = await makeTestContext()
  north = await addWorkspace(made.context, { subdomain: 'north', features: { downloads: false } })
  owner = await made.openOwner()
})
after(() => made.close())

const { admin } = commandLine(() => ({ databaseUrl: made.ownerUrl, folder: made.folder }))

test('switches a feature from the command line, and an open desk form then conflicts', async () => {
  const stateOf = async () => (await readSwitches(north)).downloads
  assert.equal(await stateOf(), false)
  assert.equal((await admin('feature', 'switch', 'north', 'downloads', 'on')).code, 0)
  assert.equal(await stateOf(), true)
  assert.equal((await admin('feature', 'switch', 'north', 'downloads', 'on')).code, 0)
  const listed = JSON.parse((await admin('feature', 'list', 'north', '--json')).out)
  assert.equal(listed.find(({ feature }: { feature: string }) => feature === 'downloads').state, 'on')
  for (const wrong of [
    ['north', 'flying', 'on'],
    ['north', 'downloads', 'maybe'],
    ['north', 'downloads'],
  ])
    assert.equal((await admin('feature', 'switch', ...wrong)).code, 2, wrong.join(' '))
  const { rows } = await owner.query(`select versions->'features'->'version' as version from workspaces`)
  const entries = await owner.query(`select after from audit_log where action = 'workspace.features-changed'`)
  assert.deepEqual(rows, [{ version: 1 }])
  assert.deepEqual(entries.rows, [{ after: { downloads: true } }])
})

test('lists failed jobs and retries them, and shows only ids of their data', async () => {
  const { workspaceId } = north
  await inTransaction(north, (tx) => made.context.jobs.enqueue(tx, 'sessions.sweep', { workspaceId, id: workspaceId }))
  await owner.query(`update pgboss.job set state = 'failed', completed_on = now(), output = '{"message": "lena@north.test"}'
    where name = 'sessions.sweep'`)
  const [queue] = JSON.parse((await admin('jobs', 'list', '--json')).out).filter(
    ({ queue }: { queue: string }) => queue === 'sessions.sweep',
  )
  assert.deepEqual([queue.failed, queue.waiting], [1, 0])
  const failed = await admin('jobs', 'failed', 'sessions.sweep', '--json')
  const [{ job, workspace }] = JSON.parse(failed.out)
  assert.equal(workspace, workspaceId)
  assert.ok(!(failed.out + failed.err).includes('lena'))
  assert.equal((await admin('jobs', 'retry', 'sessions.sweep', workspaceId)).code, 2)
  assert.match((await admin('jobs', 'retry', 'sessions.sweep', job)).out, /begun_anew: 1/)
  const { rows } = await owner.query(`select state from pgboss.job where id = $1`, [job])
  assert.deepEqual(rows, [{ state: 'retry' }])
  assert.equal((await admin('jobs', 'failed', 'flying')).code, 2)
  assert.match((await admin('jobs', 'retry', 'sessions.sweep')).out, /begun_anew: 0/)
})

test('requests the reconciliation of a day as the desk does', async () => {
  const day = made.context.clock.now().toISOString().slice(0, 10)
  assert.equal((await admin('reconcile', 'day', 'north', day)).code, 0)
  for (const none of ['2026-13-45', '2026-02-30'])
    assert.equal((await admin('reconcile', 'day', 'north', none)).code, 2, none)
  assert.equal((await admin('reconcile', 'day', 'north', '2199-01-01')).code, 1)
  const { rows } = await owner.query('select day, asked_by from reconciliation_days')
  assert.deepEqual(rows, [{ day, asked_by: null }])
})

test('shows the reconciliation of a day: requested, compared, and an alarm while a difference is open', async () => {
  const day = '2026-05-31'
  const show = (...more: string[]) => admin('reconcile', 'show', 'north', day, ...more)
  const unasked = await show('--json')
  assert.deepEqual([unasked.code, JSON.parse(unasked.out).code], [1, 'not_found'])
  assert.match((await admin('reconcile', 'day', 'north', day)).out, /then run: reconcile show north 2026-05-31/)
  assert.equal(JSON.parse((await show()).out).day.state, 'asked')
  await reconcileDay(north, day)
  const compared = JSON.parse((await show('--json')).out)
  assert.deepEqual([compared.day.state, compared.differences], ['compared', []])
  await owner.query(
    `insert into reconciliation_differences (workspace_id, difference_id, day, subject, kind, currency, method, portal, found_at, seen_at)
     values ($1, gen_random_uuid(), $2, 'of-this-test', 'missing_at_platform', 'USD', 'bank', '12.50', now(), now())`,
    [north.workspaceId, day],
  )
  const alarmed = await show('--json')
  const { code, error, found } = JSON.parse(alarmed.out)
  assert.deepEqual([alarmed.code, code, found.differences[0].portal], [3, 'alarm', '12.50'])
  assert.match(error, /^2026-05-31: Open differences: 1\./)
  for (const [workspace, named] of [
    ['nowhere', day],
    ['north', '2026-02-30'],
  ] as const)
    assert.equal((await admin('reconcile', 'show', workspace, named)).code, 2, `${workspace} ${named}`)
})
