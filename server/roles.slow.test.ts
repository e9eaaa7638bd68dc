// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, eventually, startChildServer } from '../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { spoolFolder } from './files/spool.ts'

let made: MadeContext
let server: ChildServer
before(async () => {
  made = await makeTestContext()
  server = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: made.folder, roles: 'jobs' })
})
after(async () => {
  await server.stop()
  await made.close()
})

test('a job-only process serves health and metrics and no members or staff', async () => {
  const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal(await statusOf(path), 200, path)
  for (const path of ['/', '/login', '/members/terms', '/desk', '/graph', '/dev/mailbox'])
    assert.equal(await statusOf(path), 404, path)
})

test('a web-only process removes interrupted uploads after a day', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-web-alone-'))
  const incoming = spoolFolder(folder)
  mkdirSync(incoming)
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000)
  for (const name of ['left behind', 'under way']) writeFileSync(join(incoming, name), 'half a passport')
  utimesSync(join(incoming, 'left behind'), twoDaysAgo, twoDaysAgo)
  const web = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: folder, roles: 'web' })
  try {
    await eventually('it is removed', async () => !readdirSync(incoming).includes('left behind'))
    assert.deepEqual(readdirSync(incoming), ['under way'])
  } finally {
    await web.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a process that drains fails its readiness, answers late requests and closes connections', async () => {
  const environment = { DRAIN_SECONDS: '5' }
  const leaving = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: made.folder, environment })
  leaving.child.kill('SIGTERM')
  await eventually('it reports that it shuts down', async () => (await fetch(`${leaving.url}/readyz`)).status === 503)
  const answer = await fetch(`${leaving.url}/healthz`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close')
  await leaving.exited
  assert.equal(leaving.child.exitCode, 0)
})
