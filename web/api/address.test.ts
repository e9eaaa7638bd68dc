// spec: MP 4, MP 7, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillPath, graphRequest, originFrom, toBase64Url, toSearch } from './address.ts'
import { isOwnPath } from './session-store.ts'

describe('the API origin and paths', () => {
  it('defaults to the same origin', () => {
    assert.equal(originFrom(null, 'harbour.example.com'), '')
    assert.equal(
      originFrom('https://{workspace}.api.example.com/', 'harbour.example.com'),
      'https://harbour.api.example.com',
    )
  })

  it('fills the parameters of a path and returns the remaining input', () => {
    assert.deepEqual(fillPath('/desk/api/deposits/:id/approve', { id: 'a/b', reason: 'x' }), {
      path: '/desk/api/deposits/a%2Fb/approve',
      rest: { reason: 'x' },
    })
  })

  it('omits empty values from the query string', () => {
    assert.equal(toSearch({ vendor: undefined, page: 2, q: 'a b' }), '?page=2&q=a+b')
    assert.equal(toSearch({}), '')
  })
})

describe('a GraphQL query request', () => {
  it('encodes UTF-8 as base64url', () => {
    assert.equal(Buffer.from(toBase64Url('{ a(name: "Zoë ≥ ?") }'), 'base64url').toString(), '{ a(name: "Zoë ≥ ?") }')
    assert.doesNotMatch(toBase64Url('???>>>~~~'), /[+/=]/)
  })

  it('puts a short query in the URL and a long one in the body', () => {
    const short = graphRequest('{ current_member { _id } }', {})
    assert.equal(short.method, 'GET')
    assert.doesNotMatch(short.path, /&v=/)
    assert.match(graphRequest('{ a }', { page: 1 }).path, /&v=eyJwYWdlIjoxfQ$/)
    const long = graphRequest(`{ ${'a '.repeat(2_000)} }`, { page: 1 })
    assert.equal(long.method, 'POST')
    assert.equal(long.path, '/graph')
  })
})

describe('a redirect target', () => {
  for (const path of ['/', '/home/', '/funds/transactions?page=2'])
    it(`accepts ${path}`, () => assert.ok(isOwnPath(path)))
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
  ])
    it(`rejects ${path}`, () => assert.ok(!isOwnPath(path)))
})
