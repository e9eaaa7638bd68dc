import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { makeTestContext } from '../tests/fixtures/context.ts'
import type { Message } from './dev-server.ts'

const program = join(import.meta.dirname, 'dev-server.ts')
const launcher = pathToFileURL(join(import.meta.dirname, '..', 'scripts', 'end-with-launcher.js')).href

it('the next server of npm run dev waits until it is told to start, and ends with its parent', async (t) => {
  const { folder, ownerUrl, programUrl, close } = await makeTestContext()
  const env = { ...process.env, DATABASE_URL: ownerUrl, ATRIUM_DATA: folder, LOG_LEVEL: 'fatal', PORT: '0' }
  const child = fork(program, ['--ahead'], { env, execArgv: ['--import', launcher], silent: true })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    await close()
  })
  assert.deepEqual(await once(child, 'message'), ['loaded', undefined])
  assert.equal(await Promise.race([ended, delay(500, 'waits')]), 'waits')
  child.send({ changed: join(import.meta.dirname, '../server/http/health.ts') } satisfies Message)
  child.send({ programUrl } satisfies Message)
  const [port] = await Promise.race([once(child, 'message'), ended])
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
  child.disconnect()
  assert.deepEqual(await ended, [0, null])
})
