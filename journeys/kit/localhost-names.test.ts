import assert from 'node:assert/strict'
import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { resolveLocalhostNames } from './localhost-names.ts'

const server = createServer((request, response) => response.end(request.headers.host))
before(async () => {
  resolveLocalhostNames()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.closeAllConnections()
  server.close()
})

test('fetches a name below localhost from this machine with the original Host header', async () => {
  const host = `harbour.localhost:${(server.address() as AddressInfo).port}`
  const answer = await fetch(`http://${host}/`)
  assert.equal(await answer.text(), host)
})

test('resolves through every lookup API of Node', async () => {
  const here = { address: '127.0.0.1', family: 4 }
  const { lookup } = dns.promises
  assert.deepEqual(await lookup('harbour.localhost'), here)
  assert.deepEqual(await lookup('harbour.localhost', { all: true, family: 6 }), [here])
  assert.deepEqual(await lookup('127.0.0.1'), here)
  const called = Promise.withResolvers<unknown>()
  dns.lookup('harbour.localhost', (_error, ...answer) => called.resolve(answer))
  assert.deepEqual(await called.promise, ['127.0.0.1', 4])
})
