import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { openHttp } from './http.ts'

const close: (() => void)[] = []
after(() => {
  for (const each of close) each()
})

/** The address of a server that answers like this. */
async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const http = openHttp({ production: false, timeoutMs: 300 })
const get = (url: string) => http({ method: 'GET', url })

describe('calls to providers', () => {
  it('name a time-out, a broken connection and an unreachable host as such', async () => {
    const silent = await serving(() => undefined)
    await assert.rejects(get(silent), { failure: 'unknown', detail: 'no answer in time' })
    const rude = await serving((request) => request.socket.destroy())
    await assert.rejects(get(rude), { failure: 'unknown', detail: 'the connection broke off' })
    await assert.rejects(get('http://127.0.0.1:1/'), { failure: 'unavailable', detail: 'not reachable' })
  })

  it('leave the outcome unknown when an answer stops or never ends', async () => {
    const stopping = await serving((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setImmediate(() => request.socket.destroy())
    })
    await assert.rejects(get(stopping), { failure: 'unknown' })
    const endless = await serving((_request, response) => response.writeHead(200).write('x'.repeat(1_000_001)))
    await assert.rejects(get(endless), { failure: 'unknown' })
  })

  it('follow no redirect', async () => {
    const url = await serving(({ url: path }, response) => {
      if (path === '/') response.writeHead(302, { location: '/there' }).end('moved')
      else response.end('there')
    })
    assert.deepEqual(await get(url), { status: 302, text: 'moved' })
  })
})
