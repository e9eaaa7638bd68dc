import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isFollowable } from './follow-redirect.ts'

it('follows only HTTPS addresses, or HTTP from an HTTP page', () => {
  const [secure, plain] = ['https://portal.example/funds', 'http://localhost:8080/funds']
  assert.equal(isFollowable('https://pay.example/x', secure), true)
  assert.equal(isFollowable('http://127.0.0.1:9000/x', plain), true)
  for (const address of [
    'http://pay.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:x',
    '//pay.example',
    '',
  ])
    assert.equal(isFollowable(address, secure), false, address)
  assert.equal(isFollowable('javascript:alert(1)', plain), false)
})
