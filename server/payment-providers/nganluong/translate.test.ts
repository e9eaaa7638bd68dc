import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkSum, passwordHash, reportOf } from './translate.ts'

const asked = { attempt: 'dep_01', token: '7-abc', receiverEmail: 'demo@example.com' }
const data = { order_code: 'dep_01', token: '7-abc', receiver_email: 'Demo@example.com', total_amount: '2000000' }

describe('NganLuong translation', () => {
  it('nganluong.check.1 and .2: hashes token and password joined by a bar', () => {
    assert.equal(checkSum('73707963-69f0024d6683c', 'nl-pass-demo'), '0cc87a54347aaa19dcff57f147e22d90')
    assert.equal(
      checkSum('73707963-69f0024d6683c', '341f5c5467cff838ebffc8a3580c3189'),
      '2402ca774754ab80f1f2a3db7eb0f97d',
    )
  })

  it('nganluong.password: sends the password hashed', () => {
    assert.equal(passwordHash('nl-pass-demo'), '1f09010e55253b18a38a27e5c2c8e560')
  })

  it('reads only 00 and 00 as paid', () => {
    const stateOf = (code: string, transaction_status: string) =>
      reportOf(code, { ...data, transaction_status }, asked).state
    assert.equal(stateOf('00', '00'), 'paid')
    for (const word of ['01', '02', '03']) assert.equal(stateOf('00', word), 'pending')
    assert.deepEqual(
      ['81', '114', '115', '77'].map((code) => stateOf(code, '00')),
      ['unpaid', 'pending', 'declined', 'unclear'],
    )
    for (const word of ['', '0', '04', 'toString']) assert.equal(stateOf('00', word), 'unclear')
  })

  it('matches no payment of another order, token or account', () => {
    for (const changed of [{ order_code: 'dep_02' }, { token: '8-abc' }, { receiver_email: 'x@example.com' }, {}]) {
      const about = { ...data, ...changed, transaction_status: '00' }
      const isOurs = Object.keys(changed).length === 0
      assert.equal(reportOf('00', about, asked).attempt, isOurs ? asked.attempt : null)
    }
  })
})
