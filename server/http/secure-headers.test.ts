import assert from 'node:assert/strict'
import { it } from 'node:test'
import fastify from 'fastify'
import { type PagePolicy, setPagePolicy, setPdfFramePolicy } from './secure-headers.ts'

async function policyOf(options?: PagePolicy): Promise<Map<string, string>> {
  const app = fastify()
  app.get('/', async (_request, reply) => reply.send(setPagePolicy(reply, options)))
  const { headers, payload } = await app.inject({ url: '/' })
  await app.close()
  const parts = String(headers['content-security-policy']).split('; ')
  const policy = new Map(parts.map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]))
  assert.equal(policy.get('style-src'), `'self' 'nonce-${payload}'`)
  return policy
}

it('forbids a page to frame anything and to run scripts other than its own', async () => {
  const policy = await policyOf()
  assert.equal(policy.get('default-src'), "'none'")
  assert.equal(policy.get('script-src'), "'self'")
  assert.equal(policy.get('frame-ancestors'), "'none'")
  assert.equal(policy.get('frame-src'), undefined)
})

it('changes only frame-src for a page that shows PDFs', async () => {
  const [usual, framing] = [await policyOf(), await policyOf({ framesOwn: true })]
  assert.equal(framing.get('frame-src'), "'self'")
  for (const policy of [usual, framing]) for (const name of ['frame-src', 'style-src']) policy.delete(name)
  assert.deepEqual(framing, usual)
})

it('allows a page to frame the listed payment pages and the return page only', async () => {
  const [usual, framing] = [await policyOf(), await policyOf({ frames: ['https://pay.example.com'] })]
  assert.equal(framing.get('frame-src'), "'self' https://pay.example.com")
  assert.equal(framing.get('frame-ancestors'), "'none'")
  assert.equal((await policyOf({ frames: [] })).get('frame-src'), undefined)
  for (const policy of [usual, framing]) for (const name of ['frame-src', 'style-src']) policy.delete(name)
  assert.deepEqual(framing, usual)
})

it('gives the PDF page no origin and no network, and only our own pages may frame it', async () => {
  const app = fastify()
  app.get('/', async (_request, reply) => reply.send(setPdfFramePolicy(reply)))
  const { headers, payload } = await app.inject({ url: '/' })
  await app.close()
  assert.deepEqual(String(headers['content-security-policy']).split('; ').sort(), [
    "base-uri 'none'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
    "script-src 'self'",
    `style-src 'nonce-${payload}'`,
  ])
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
})

it('uses a new nonce in every answer', async () => {
  assert.notEqual((await policyOf()).get('style-src'), (await policyOf()).get('style-src'))
})
