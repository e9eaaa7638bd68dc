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

it('lets a page frame nothing, and run nothing but its own scripts', async () => {
  const policy = await policyOf()
  assert.equal(policy.get('default-src'), "'none'")
  assert.equal(policy.get('script-src'), "'self'")
  assert.equal(policy.get('frame-ancestors'), "'none'")
  assert.equal(policy.get('frame-src'), undefined)
})

it('differs for a page that shows PDFs by nothing but frames of its own origin', async () => {
  const [usual, framing] = [await policyOf(), await policyOf({ framesOwn: true })]
  assert.equal(framing.get('frame-src'), "'self'")
  for (const policy of [usual, framing]) for (const name of ['frame-src', 'style-src']) policy.delete(name)
  assert.deepEqual(framing, usual)
})

it('H3: lets a page frame the listed payment pages and the way back, and nothing else', async () => {
  const [usual, framing] = [await policyOf(), await policyOf({ frames: ['https://pay.example.com'] })]
  assert.equal(framing.get('frame-src'), "'self' https://pay.example.com")
  assert.equal(framing.get('frame-ancestors'), "'none'")
  assert.equal((await policyOf({ frames: [] })).get('frame-src'), undefined)
  for (const policy of [usual, framing]) for (const name of ['frame-src', 'style-src']) policy.delete(name)
  assert.deepEqual(framing, usual)
})

it('gives the page that reads PDFs no origin, no way out, and nobody but us around it', async () => {
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

it('gives every answer a nonce of its own', async () => {
  assert.notEqual((await policyOf()).get('style-src'), (await policyOf()).get('style-src'))
})
