// spec: OP operation
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Balancer, startBalancer } from './balancer.ts'

/** One process that drops every request, and one that answers; the first in turn is the dead one. */
let balancer: Balancer
const seen: string[] = []
const stops: (() => void)[] = []

before(async () => {
  const gone = await listen((asked) => {
    if (asked.url !== '/readyz') seen.push(`${asked.method} ${asked.url}`)
    asked.socket.destroy()
  })
  const well = await listen((asked, answer) => asked.resume().once('end', () => answer.end('well')))
  balancer = await startBalancer([gone, well])
})
after(async () => {
  await balancer.close()
  for (const stop of stops) stop()
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function askTwice(path: string, init?: RequestInit): Promise<number[]> {
  const statuses: number[] = []
  for (let turn = 0; turn < 2; turn += 1) statuses.push((await fetch(balancer.url + path, init)).status)
  return statuses.sort()
}

test('retries a read on another process when the first one drops the connection', async () => {
  assert.deepEqual(await askTwice('/page'), [200, 200])
  assert.deepEqual(
    seen.filter((each) => each === 'GET /page'),
    ['GET /page'],
  )
})

test('never sends any other request twice', async () => {
  assert.deepEqual(await askTwice('/call', { method: 'POST', body: '{}' }), [200, 502])
  assert.deepEqual(
    seen.filter((each) => each === 'POST /call'),
    ['POST /call'],
  )
  assert.deepEqual(balancer.lost, ['POST /call'])
})
