import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from 'otpauth'
import { codeAt, makeTotpSecret, stepOfCode, totpUri } from './totp-code.ts'

/** RFC 6238, appendix B: seconds and the SHA-1 code, whose last six digits apps show. */
const published: [number, string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]
const publishedSecret = Secret.fromLatin1('12345678901234567890').base32

describe('TOTP codes', () => {
  for (const [seconds, code] of published) {
    test(`match the RFC at ${seconds}`, () => {
      const now = new Date(seconds * 1000)
      assert.equal(codeAt(publishedSecret, now), code.slice(-6))
      assert.equal(stepOfCode(publishedSecret, code.slice(-6), now), Math.floor(seconds / 30))
    })
  }

  test('are valid one step early or late, and no further', () => {
    const secret = makeTotpSecret()
    const now = new Date('2026-11-21T09:00:10Z')
    const step = Math.floor(now.getTime() / 30_000)
    const at = (steps: number) => stepOfCode(secret, codeAt(secret, new Date(now.getTime() + steps * 30_000)), now)
    assert.deepEqual([-2, -1, 0, 1, 2].map(at), [null, step - 1, step, step + 1, null])
  })

  test('come from 160 random bits, in a URI that apps read', () => {
    const secret = makeTotpSecret()
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.notEqual(secret, makeTotpSecret())
    const uri = new URL(totpUri(secret, { issuer: 'Harbour & Sons: Markets', label: 'a+b@harbour.test' }))
    assert.equal(uri.protocol, 'otpauth:')
    assert.equal(uri.searchParams.get('secret'), secret)
    assert.equal(uri.searchParams.get('issuer'), 'Harbour & Sons: Markets')
  })
})
