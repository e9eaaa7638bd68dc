import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { challengeAnswer, isChallenge, makeChallenge, provesKey, webApiKey } from './handshake.ts'

const examples = [
  {
    password: 'Password1',
    key: '904ba8ecb16273d2f0ae9c3b8a023752',
    srvRand: '73007dc7184747ce0f7c98516ef1c851',
    srvAnswer: '77fe51827f7fa69dd80fbec9aa33f1bb',
    cliRand: '34b6bccab8bfebdf462d1312043df1cc',
    cliAnswer: '4486220e7cc8adb0420514b397d6fba5',
  },
  {
    password: 'Zürich#2026',
    key: '9253f5d866092dc481984f19af8ab136',
    srvRand: '00112233445566778899aabbccddeeff',
    srvAnswer: '76aa632e192238308ec45378769e8c8a',
    cliRand: 'ffeeddccbbaa99887766554433221100',
    cliAnswer: '934568e5877374ff08614f8fd3de246d',
  },
  {
    password: 'P€ss-😀9',
    key: '0151227e2e547dbab23beb2f45c05e1e',
    srvRand: 'd4e005317e38bc0c349a51a0d73a07eb',
    srvAnswer: '99101d8e104908628e720f25974f5950',
    cliRand: '0123456789abcdef0123456789abcdef',
    cliAnswer: 'd06640531e62b0246083ee79e03c592c',
  },
  {
    password: 'Password1',
    key: '904ba8ecb16273d2f0ae9c3b8a023752',
    srvRand: '0007dc7184747ce0f7c98516ef1c8510',
    srvAnswer: 'ef385c15c9338af8a42a7ae526d3401a',
  },
]

test('reproduces the documented examples', () => {
  for (const example of examples) {
    const key = webApiKey(example.password)
    assert.equal(key.toString('hex'), example.key)
    assert.equal(challengeAnswer(key, example.srvRand), example.srvAnswer)
    if (example.cliRand === undefined) continue
    assert.equal(challengeAnswer(key, example.cliRand), example.cliAnswer)
    assert.equal(provesKey(key, example.cliRand, example.cliAnswer.toUpperCase()), true)
  }
})

test('differs from the results of the three known mistakes', () => {
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
  const word = Buffer.from('WebAPI')
  const ours = challengeAnswer(webApiKey('Password1'), '73007dc7184747ce0f7c98516ef1c851')

  const utf8Key = md5(md5(Buffer.from('Password1', 'utf8')), word)
  const utf8 = challengeAnswer(utf8Key, '73007dc7184747ce0f7c98516ef1c851')
  assert.equal(utf8, '88f76305f9676927bb90e08f5c35edd5')
  assert.notEqual(ours, utf8)

  const keyText = webApiKey('Password1').toString('hex')
  const hexText = md5(Buffer.from(`${keyText}73007dc7184747ce0f7c98516ef1c851`)).toString('hex')
  assert.equal(hexText, 'f34896aadeff41d6ed85c5920e67de5e')
  assert.notEqual(ours, hexText)

  const asNumber = BigInt('0x0007dc7184747ce0f7c98516ef1c8510').toString(16)
  const evenHex = asNumber.padStart(asNumber.length + (asNumber.length % 2), '0')
  const zerosLost = challengeAnswer(webApiKey('Password1'), evenHex)
  assert.equal(zerosLost, '40809ea5ec65b9a02adf63db5bcef08d')
  assert.notEqual(challengeAnswer(webApiKey('Password1'), '0007dc7184747ce0f7c98516ef1c8510'), zerosLost)
})

test('rejects a proof of another length or key, and one that is not hex', () => {
  const key = webApiKey('Password1')
  for (const wrong of ['', '00', 'zz', '934568e5877374ff08614f8fd3de246d']) {
    assert.equal(provesKey(key, '34b6bccab8bfebdf462d1312043df1cc', wrong), false)
  }
})

test('creates challenges of 16 random bytes in hex', () => {
  assert.equal(isChallenge(makeChallenge()), true)
  assert.notEqual(makeChallenge(), makeChallenge())
  for (const wrong of ['', '73007dc7', 'g3007dc7184747ce0f7c98516ef1c851']) assert.equal(isChallenge(wrong), false)
})
