import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proofOf, provingHeaders, storedHeaders } from './webhook-headers.ts'

const received = {
  hmac: 'f00',
  'content-type': 'application/x-www-form-urlencoded',
  'x-signature': 'abc',
  'x-coinpayments-timestamp': '2026-11-21T10:00:00',
  cookie: 'session=1',
  authorization: 'Bearer 1',
  'user-agent': 'Provider/1',
  'set-cookie': ['a', 'b'],
}

describe('webhook event headers', () => {
  it('include the signature headers and those that show the origin', () => {
    assert.deepEqual(Object.keys(provingHeaders(received)), [
      'hmac',
      'content-type',
      'x-signature',
      'x-coinpayments-timestamp',
    ])
    assert.deepEqual(Object.keys(storedHeaders(received)).length, 5)
  })

  it('are the same for the job as for the route', () =>
    assert.deepEqual(provingHeaders({ ...storedHeaders(received), address: '127.0.0.1' }), provingHeaders(received)))

  it('are bounded in number and length', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, each) => [`x${each}-signature`, 'a'.repeat(5_000)]))
    assert.equal(Object.keys(provingHeaders(many)).length, 20)
    assert.ok(Object.values(provingHeaders(many)).every((value) => value.length === 1_000))
  })

  it('distinguish a genuine message from a forgery of the same bytes, but not a repeated delivery', () => {
    const forged = proofOf(provingHeaders({ ...received, hmac: 'f01' }))
    assert.notEqual(forged, proofOf(provingHeaders(received)))
    const later = { ...received, 'x-coinpayments-timestamp': '2026-11-21T10:05:00', 'user-agent': 'Provider/2' }
    assert.equal(proofOf(provingHeaders(later)), proofOf(provingHeaders(received)))
  })
})
