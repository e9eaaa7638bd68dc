import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNonceKeeper } from './nonce-keeper.ts'

function counting(failures = 0) {
  let made = 0
  return createNonceKeeper(async () => {
    made += 1
    if (made <= failures) throw new Error('no answer')
    return `token-${made}`
  })
}

describe('the token of a form', () => {
  it('stays for the same body, however often it is sent', async () => {
    const keeper = counting()
    assert.equal(await keeper.tokenFor({ amount: '1' }), 'token-1')
    assert.equal(await keeper.tokenFor({ amount: '1' }), 'token-1')
    assert.deepEqual(await Promise.all([keeper.tokenFor({ amount: '1' }), keeper.tokenFor({ amount: '1' })]), [
      'token-1',
      'token-1',
    ])
  })

  it('is another one for another body', async () => {
    const keeper = counting()
    assert.equal(await keeper.tokenFor({ amount: '1' }), 'token-1')
    assert.equal(await keeper.tokenFor({ amount: '2' }), 'token-2')
  })

  it('is asked for again when it never came, or was not taken', async () => {
    const keeper = counting(1)
    await assert.rejects(keeper.tokenFor({}))
    assert.equal(await keeper.tokenFor({}), 'token-2')
    keeper.forget()
    assert.equal(await keeper.tokenFor({}), 'token-3')
  })
})
