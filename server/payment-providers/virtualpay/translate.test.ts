import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectWith } from '../../payments/connections/provider.ts'
import { findAdapter } from '../registry.ts'
import { isSigned, type Recipe, reportOf, sign } from './translate.ts'

const recipe: Recipe = {
  merchantId: 'VPMID1',
  secretKey: 'generic-demo',
  algorithm: 'sha256',
  encoding: 'base64',
  amountFormat: 'with all decimals',
  countryFormat: 'two letters',
  formFields: [],
  formSignature: '',
  messageFields: [],
  messageSignature: '{order}{merchant}{reference}{amount}{currency}{status}{secret}',
  statusLabels: [
    ['approved', 'paid'],
    ['gone', 'nonsense'],
  ],
}
const known = {
  order: 'dep_01',
  merchant: 'VPMID1',
  reference: 'P-1',
  amount: '100',
  currency: 'USD',
  status: 'approved',
}

describe('VirtualPay signature recipe', () => {
  it('virtualpay.trace1: hashes the values in template order', () => {
    assert.equal(
      sign('{order}{merchant}{amount}{currency}', known, recipe),
      'QdiIHbQOJ3B6r7xuGt5LkqBAjvWdToVHwr1eX6sELSs=',
    )
  })

  it('generic.hmac: keys the hash with the secret', () => {
    const body =
      '{"event_id":"evt_1","order":"dep_01","reference":"P-1","amount":"100.00","currency":"USD","status":"approved"}'
    assert.equal(
      sign('{time}.{body}', { time: '1719831850', body }, { ...recipe, algorithm: 'hmac-sha256', encoding: 'hex' }),
      '400c539db25db245a01331a0bfc100eac961b2d650dbf9047b2621e15bed2296',
    )
  })

  it('accepts a message only with the signature over its content', () => {
    const signed = { ...known, signature: sign(recipe.messageSignature, known, recipe) }
    assert.equal(isSigned(signed, recipe), true)
    for (const [name, value] of Object.entries({ amount: '1000', status: 'gone', order: 'dep_02', currency: 'EUR' }))
      assert.equal(isSigned({ ...signed, [name]: value }, recipe), false, name)
    assert.equal(isSigned({ ...signed, signature: '' }, recipe), false)
    assert.equal(isSigned(signed, { ...recipe, secretKey: '' }), false)
  })

  it('does not act on a status that the settings do not name', () => {
    const stateOf = (status: string) => reportOf({ ...known, status }, recipe).state
    assert.equal(stateOf('approved'), 'paid')
    for (const word of ['gone', 'APPROVED', '', 'toString']) assert.equal(stateOf(word), 'unclear')
  })

  it('refuses to connect with a signature that does not need the secret', () => {
    const settings = {
      merchantId: 'VPMID1',
      secretKey: 'virtual-secret-1',
      actionUrl: 'https://pay.example.com/hosted',
    }
    const { config } = { config: { production: true, platformNetworks: [] } } as unknown as Parameters<
      typeof connectWith
    >[0]
    const connect = (more: object) => connectWith({ config }, 'virtualpay', { ...settings, ...more })
    assert.ok(connect({}))
    const open = '{order}{reference}{amount}{currency}{status}'
    assert.throws(() => connect({ messageSignature: open }), { failure: 'misconfigured' })
    assert.ok(connect({ messageSignature: open, algorithm: 'hmac-sha256' }))
    assert.throws(() => connect({ messageSignature: '{order}{secret}' }), { failure: 'misconfigured' })
    assert.throws(() => connect({ messageFields: 'order = id' }), { failure: 'misconfigured' })
    assert.equal(findAdapter('virtualpay')?.fields.secretKey?.isSecret, true)
  })
})
