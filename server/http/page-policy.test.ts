import assert from 'node:assert/strict'
import { it } from 'node:test'
import fastify from 'fastify'
import { type PagePolicy, setPagePolicy } from './secure-headers.ts'

async function headersOf(policy: PagePolicy) {
  const app = fastify()
  app.get('/', (_request, reply) => {
    setPagePolicy(reply, policy)
    return reply.send('page')
  })
  const { headers } = await app.inject('/')
  await app.close()
  const directives = String(headers['content-security-policy']).split('; ')
  return { headers, named: (name: string) => directives.filter((directive) => directive.startsWith(`${name} `)) }
}

it('forbids framing of every page except the standalone form, which our own pages may frame', async () => {
  const usual = await headersOf({ framesOwn: true })
  assert.deepEqual(usual.named('frame-ancestors'), ["frame-ancestors 'none'"])
  assert.deepEqual(usual.named('frame-src'), ["frame-src 'self'"])
  assert.equal(usual.headers['x-frame-options'], undefined)
  const framed = await headersOf({ isFramed: true })
  assert.deepEqual(framed.named('frame-ancestors'), ["frame-ancestors 'self'"])
  assert.deepEqual(framed.named('frame-src'), [])
  assert.equal(framed.headers['x-frame-options'], 'SAMEORIGIN')
  const paying = await headersOf({ frames: ['https://pay.test'] })
  assert.deepEqual(paying.named('frame-src'), ["frame-src 'self' https://pay.test"])
})
