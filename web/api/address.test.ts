// spec: MP 4, MP 7, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillPath, graphRequest, originFrom, toBase64Url, toSearch } from './address.ts'
import { isOwnPath } from './session-store.ts'

describe('where a call goes', () => {
  it('is the same origin unless told otherwise', () => {
    assert.equal(originFrom(null, 'harbour.example.com'), '')
    assert.equal(
      originFrom('https://{workspace}.api.example.com/', 'harbour.example.com'),
      'https://harbour.api.example.com',
    )
  })

  it('fills the places of a path and leaves the rest', () => {
    assert.deepEqual(fillPath('/desk/api/deposits/:id/approve', { id: 'a/b', reason: 'x' }), {
      path: '/desk/api/deposits/a%2Fb/approve',
      rest: { reason: 'x' },
    })
  })

  it('leaves out what is not there from a search', () => {
    assert.equal(toSearch({ vendor: undefined, page: 2, q: 'a b' }), '?page=2&q=a+b')
    assert.equal(toSearch({}), '')
  })
})

describe('a query on the wire', () => {
  it('is base64url of its UTF-8', () => {
    assert.equal(Buffer.from(toBase64Url('{ a(name: "Zoë ≥ ?") }'), 'base64url').toString(), '{ a(name: "Zoë ≥ ?") }')
    assert.doesNotMatch(toBase64Url('???>>>~~~'), /[+/=]/)
  })

  it('travels in the address when short, in the body when long', () => {
    const short = graphRequest('{ current_member { _id } }', {})
    assert.equal(short.method, 'GET')
    assert.doesNotMatch(short.path, /&v=/)
    assert.match(graphRequest('{ a }', { page: 1 }).path, /&v=eyJwYWdlIjoxfQ$/)
    const long = graphRequest(`{ ${'a '.repeat(2_000)} }`, { page: 1 })
    assert.equal(long.method, 'POST')
    assert.equal(long.path, '/graph')
  })
})

describe('a remembered target', () => {
  for (const path of ['/', '/home/', '/funds/transactions?page=2'])
    it(`may be ${path}`, () => assert.ok(isOwnPath(path)))
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
  ])
    it(`may not be ${path}`, () => assert.ok(!isOwnPath(path)))
})
