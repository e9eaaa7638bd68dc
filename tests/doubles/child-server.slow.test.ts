import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { type MadeContext, makeTestContext } from '../fixtures/context.ts'
import { eventually } from './child-server.ts'

let made: MadeContext
before(async () => {
  made = await makeTestContext()
})
after(() => made.close())

test('stops a server that a test started when the test process ends in any way', async () => {
  const start = `
    const { startChildServer } = await import(${JSON.stringify(new URL('child-server.ts', import.meta.url).href)})
    const [databaseUrl, dataDirectory] = process.argv.slice(1)
    const { url } = await startChildServer({ databaseUrl, dataDirectory })
    console.log(url)
    setInterval(() => undefined, 60_000)`
  const program = ['--input-type=module', '-e', start, made.ownerUrl, made.folder]
  const starter = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(starter.stdout, 'data')
  const url = String(line).trim()
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  starter.kill('SIGKILL')
  await eventually('the server is gone', () =>
    fetch(`${url}/readyz`).then(
      () => false,
      () => true,
    ),
  )
})
