/** Request smuggling: requests whose end two readers could see differently, so that a body becomes another request. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { exchangeRaw } from '../tests/fixtures/raw-exchange.ts'
import { addWorkspace } from '../tests/fixtures/workspaces.ts'
import { buildApp } from './app.ts'

let made: MadeContext
let app: FastifyInstance
let port: number
before(async () => {
  made = await makeTestContext()
  await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
after(async () => {
  await app.close()
  await made.close()
})

const exchange = (bytes: string): Promise<string> => exchangeRaw(port, bytes, { ends: true })

const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((found) => Number(found[1]))

const line = '\r\n'
const smuggled = `GET /healthz HTTP/1.1${line}Host: localhost${line}X-Smuggled: yes${line}${line}`
const body = (headers: string[], content: string): string =>
  [`POST /members/login HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...headers, '', content].join(
    line,
  )

/** Most answers allowed: the smuggled request must not get one of its own. */
const cases: [string, string, number][] = [
  [
    'length and chunks at once',
    body([`Content-Length: ${5 + smuggled.length}`, 'Transfer-Encoding: chunked'], `0${line}${line}${smuggled}`),
    1,
  ],
  [
    'chunks and length at once',
    body(['Transfer-Encoding: chunked', 'Content-Length: 4'], `0${line}${line}${smuggled}`),
    1,
  ],
  ['two lengths that differ', body(['Content-Length: 2', 'Content-Length: 80'], `{}${smuggled}`), 1],
  ['two lengths in one', body(['Content-Length: 2, 80'], `{}${smuggled}`), 1],
  ['a negative length', body(['Content-Length: -1'], `{}${smuggled}`), 1],
  ['a length with a sign', body(['Content-Length: +2'], `{}${smuggled}`), 1],
  ['a length in hexadecimal', body(['Content-Length: 0x2'], `{}${smuggled}`), 1],
  ['a length that is not a number', body(['Content-Length: two'], `{}${smuggled}`), 1],
  ['a length beyond the largest number', body(['Content-Length: 99999999999999999999'], '{}'), 1],
  ['a space before the colon', body(['Content-Length : 2'], `{}${smuggled}`), 1],
  ['chunked after a tab', body(['Transfer-Encoding:\tchunked', 'Content-Length: 2'], `{}${smuggled}`), 1],
  ['chunked twice', body(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], `0${line}${line}`), 1],
  ['chunked, then identity', body(['Transfer-Encoding: chunked, identity'], `0${line}${line}${smuggled}`), 1],
  ['an unknown encoding', body(['Transfer-Encoding: xchunked'], `0${line}${line}${smuggled}`), 1],
  ['chunked with an extra letter', body(['Transfer-Encoding: chunkedx'], `0${line}${line}${smuggled}`), 1],
  ['a chunk size that is not a number', body(['Transfer-Encoding: chunked'], `zz${line}{}${line}0${line}${line}`), 1],
  ['a chunk size with a sign', body(['Transfer-Encoding: chunked'], `-1${line}{}${line}0${line}${line}`), 1],
  [
    'a chunk size beyond the largest number',
    body(['Transfer-Encoding: chunked'], `ffffffffffffffffff${line}{}${line}`),
    1,
  ],
  ['a chunk longer than declared', body(['Transfer-Encoding: chunked'], `1${line}{}${line}0${line}${line}`), 1],
  ['a chunk that never ends', body(['Transfer-Encoding: chunked'], `5${line}{}`), 1],
  ['a folded header', body(['X-Long: a', ' b', 'Content-Length: 2'], '{}'), 1],
  ['a bare line feed between headers', `GET /healthz HTTP/1.1\nHost: localhost\n\n${smuggled}`, 1],
  ['a carriage return in a header', `GET /healthz HTTP/1.1${line}Host: localhost${line}X: a\rb${line}${line}`, 1],
  ['a NUL in a header', `GET /healthz HTTP/1.1${line}Host: localhost${line}X: a\0b${line}${line}`, 1],
  ['a header without a name', `GET /healthz HTTP/1.1${line}: x${line}Host: localhost${line}${line}`, 1],
  ['no host', `GET /healthz HTTP/1.1${line}${line}`, 1],
  [
    'two hosts',
    `GET /members/crm-settings HTTP/1.1${line}Host: localhost${line}Host: elsewhere.localhost${line}Connection: close${line}${line}`,
    1,
  ],
  ['TRACE', `TRACE / HTTP/1.1${line}Host: localhost${line}Connection: close${line}${line}`, 1],
  ['CONNECT', `CONNECT localhost:80 HTTP/1.1${line}Host: localhost${line}${line}`, 1],
  ['an unknown method', `STEAL /healthz HTTP/1.1${line}Host: localhost${line}${line}`, 1],
  ['an unknown HTTP version', `GET /healthz HTTP/9.9${line}Host: localhost${line}${line}`, 1],
  [
    'an absolute URL in the request line',
    `GET http://elsewhere.localhost/members/crm-settings HTTP/1.1${line}Host: localhost${line}Connection: close${line}${line}`,
    1,
  ],
  [
    'headers of a hundred kilobytes',
    `GET /healthz HTTP/1.1${line}Host: localhost${line}X: ${'a'.repeat(100_000)}${line}${line}`,
    1,
  ],
  [
    'ten thousand headers',
    `GET /healthz HTTP/1.1${line}Host: localhost${line}${`A: b${line}`.repeat(10_000)}${line}`,
    1,
  ],
]

describe('the HTTP parser', () => {
  for (const [name, bytes, answersMax] of cases) {
    test(`answers no smuggled request: ${name}`, async () => {
      const answer = await exchange(bytes)
      const codes = statuses(answer)
      assert.ok(codes.length <= answersMax, `${codes}: the smuggled request got an answer`)
      for (const code of codes) assert.ok(code < 500 || code === 505, `answered ${code}`)
      assert.ok(!/at \w+ \(|node_modules|\.ts:/.test(answer))
    })
  }

  test('still answers afterwards', async () => {
    assert.deepEqual(
      statuses(await exchange(`GET /healthz HTTP/1.1${line}Host: localhost${line}Connection: close${line}${line}`)),
      [200],
    )
  })

  test('answers two consecutive requests on one connection', async () => {
    const two = `GET /healthz HTTP/1.1${line}Host: localhost${line}${line}GET /healthz HTTP/1.1${line}Host: localhost${line}Connection: close${line}${line}`
    assert.deepEqual(statuses(await exchange(two)), [200, 200])
  })
})
