import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ChildServer, eventually, startChildServer } from './testing/child-server.ts'
import { type MadeGround, makeGround } from './testing/ground.ts'

let made: MadeGround
let server: ChildServer
before(async () => {
  made = await makeGround()
  server = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: made.folder, roles: 'jobs' })
})
after(async () => {
  await server.stop()
  await made.close()
})

test('a process for jobs alone says how it is, and answers neither members nor staff', async () => {
  const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal(await statusOf(path), 200, path)
  for (const path of ['/', '/login', '/members/terms', '/desk', '/graph', '/dev/mailbox'])
    assert.equal(await statusOf(path), 404, path)
})

test('a process that is asked to end says so where a balancer looks, answers what still comes, and lets connections go', async () => {
  const environment = { DRAIN_SECONDS: '5' }
  const leaving = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: made.folder, environment })
  leaving.child.kill('SIGTERM')
  await eventually('it says that it ends', async () => (await fetch(`${leaving.url}/readyz`)).status === 503)
  const answer = await fetch(`${leaving.url}/healthz`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('connection'), 'close')
  await leaving.exited
  assert.equal(leaving.child.exitCode, 0)
})
