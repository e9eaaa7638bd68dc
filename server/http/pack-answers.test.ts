import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { packAnswers } from './pack-answers.ts'

const long = { rows: Array.from({ length: 200 }, (_, index) => `transaction ${index}`) }

describe('an answer', () => {
  let app: FastifyInstance
  before(async () => {
    app = Fastify()
    packAnswers(app)
    app.get('/rows', () => long)
    app.get('/varied', (_, reply) => reply.header('vary', 'origin').send(long))
    app.get('/page', (_, reply) => reply.type('text/html; charset=utf-8').send(`<p>${'x'.repeat(4_000)}</p>`))
    app.get('/short', () => ({ status: 'ok' }))
    app.get('/cookie', (_, reply) => reply.header('set-cookie', 'a=b').send(long))
    app.get('/file', (_, reply) => reply.type('application/pdf').send(Buffer.alloc(4_000)))
    app.get('/refused', (_, reply) => reply.code(403).send(long))
    app.post('/rows', () => long)
  })
  after(() => app.close())

  const ask = (options: InjectOptions, encoding = 'gzip, deflate, br, zstd') =>
    app.inject({ ...options, headers: { 'accept-encoding': encoding } })

  for (const url of ['/rows', '/varied', '/page'])
    it(`is compressed: ${url}`, async () => {
      const answer = await ask({ url })
      assert.equal(answer.headers['content-encoding'], 'gzip')
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
      assert.match(String(answer.headers.vary), /accept-encoding/)
      const plain = await ask({ url }, 'identity')
      assert.equal(gunzipSync(answer.rawPayload).toString(), plain.payload)
      assert.match(String(plain.headers.vary), /accept-encoding/)
      assert.ok(answer.rawPayload.length < plain.rawPayload.length / 3)
    })

  for (const [name, options, encoding] of [
    ['short', { url: '/short' }],
    ['the answer to a change, which may contain a token', { method: 'POST', url: '/rows' }],
    ['an answer with a cookie', { url: '/cookie' }],
    ['a file', { url: '/file' }],
    ['a refusal', { url: '/refused' }],
    ['for a client that accepts no compression', { url: '/rows' }, 'br'],
    ['for a client that refuses it', { url: '/rows' }, 'gzip;q=0, br'],
  ] satisfies [string, InjectOptions, string?][])
    it(`is sent uncompressed: ${name}`, async () => {
      const answer = await ask(options, encoding)
      assert.equal(answer.headers['content-encoding'], undefined)
    })

  it('extends an existing Vary header', async () => {
    assert.equal((await ask({ url: '/varied' })).headers.vary, 'origin, accept-encoding')
  })
})
