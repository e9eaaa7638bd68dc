import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OrderToStart } from '../../payment-providers/contract.ts'
import { isSigned as isSignedByNeteller } from '../../payment-providers/neteller/translate.ts'
import * as rpn from '../../payment-providers/rpnpay/translate.ts'
import { keysOf } from '../../payment-providers/sdsystem/cipher.ts'
import { messageValue, openCallback } from '../../payment-providers/sdsystem/translate.ts'
import { isSigned as isSignedByVirtualPay, type Recipe, sign } from '../../payment-providers/virtualpay/translate.ts'

/**
 * Messages built as other clients build them, and signed and encrypted by the OpenSSL command line, independent of our
 * code (decision 0067).
 */
describe('messages of other clients, signed by OpenSSL', () => {
  it('RPN Pay: signs fields and accepts a signature in the order of a published PHP client', () => {
    const secretKey = '0123456789abcdef'
    const portal = 'https://portal.example.test'
    const order = {
      ...{ attempt: 'dep_01', amount: '100.00', currency: 'CNY', description: 'Deposit' },
      payer: {} as OrderToStart['payer'],
      urls: { back: `${portal}/back`, cancelled: portal, notify: `${portal}/notify` },
      at: new Date('2024-07-01T03:04:10Z'),
    }
    const fieldOrder = [
      ...(['version', 'sign_type', 'mid', 'return_url', 'notify_url', 'order_id', 'order_amount'] as const),
      'order_time' as const,
    ]
    const fields = rpn.formFields(order, { merchantId: 'RPN10001', secretKey, version: '1.0', bankId: '', fieldOrder })
    assert.deepEqual(fields.at(-1), { name: 'signature', value: '064ae89b9e4391dde7099088b24bddaf' })
    const webhookEvent = new Map(
      Object.entries({
        ...{ order_id: 'dep_01', order_time: '20240701110410', order_amount: '10000', deal_id: '77001' },
        ...{ deal_time: '20240701110500', pay_amount: '10000', pay_result: '3' },
        signature: '584dadd59c2cf911ffe85ed661fe3479',
      }),
    )
    assert.equal(rpn.isSigned(webhookEvent, secretKey), true)
    assert.equal(rpn.isSigned(new Map([...webhookEvent, ['pay_amount', '10001']]), secretKey), false)
  })

  it('SD System: reads a callback encrypted with a 24-byte key as a published PHP client does', () => {
    const keys = keysOf('YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4', 'ODc2NTQzMjE=')
    assert.ok(keys)
    const merchant = {
      ...{ merchantId: 'SD1001', md5Key: '0123456789abcdef0123456789abcdef', keys },
      display: 'on a computer' as const,
    }
    const sealed = [
      '/JPAsm0KnnPwTOCQAwYeWMcG6S9GOprO+0cd0OSYRvtSeXkp0bSsQ2ypj6INrlDkby7HhuwU9tkEp+ehS/9uot/dOMgpJmHWbD9GF9TO',
      'jt55t+13W/fsXMqqpSjnnsdo0tnMJtVPu28yPHsedCbFszZo/Vz7FMma5yq/tFc3KA33hgWfEqyWJrjbLPy1T8TkdzBdw1EoTKPhP2vJ',
      'UQsIwaS835I045UBFfMsEhnju/x33Fq78LeayLWCOI47XM7sw8khWekJN4hI4ruPmVPwqIgeM5gHCWd4SLxDj7LT/0DtZ4SlkPFY3jVG',
      'IbCueUQAfFbXJseD5vO/q8Wlhgy+qVsSt1wHja1D11CzMUDBIawfuVo545kHX/wBKQNmrT2oPaj1ek+Lbvp1619vZu8oz13CMjIlFmwN',
      'v0DsyM+FFDJ3i+i4u8VKQxs5Pm1uYMMQ8q6S0gMkOcrXd8yv0qYrng==',
    ].join('')
    const opened = openCallback(sealed, merchant)
    assert.ok(typeof opened !== 'string', String(opened))
    const said = ['order', 'money', 'unit', 'result', 'merchantid'].map((name) => messageValue(opened, name))
    assert.deepEqual(said, ['dep_01', '100.00', '1', '1', 'SD1001'])
    assert.equal(openCallback(sealed, { ...merchant, md5Key: 'f'.repeat(32) }), 'wrong_signature')
  })

  it('Neteller: accepts a webhook signed as documented, over the received bytes', () => {
    const body =
      '{"eventType":"PAYMENT_COMPLETED","payload":{"id":"9b1a","merchantRefNum":"dep_01","amount":10000,"currencyCode":"USD","status":"COMPLETED"}}'
    const signature = '8id8XNZkEZmwDMDWHKYgt3BiWYjdUjzxiY/KG7tKX7E='
    assert.equal(isSignedByNeteller(Buffer.from(body), signature, 'paysafe-hmac-demo'), true)
    assert.equal(isSignedByNeteller(Buffer.from(`${body} `), signature, 'paysafe-hmac-demo'), false)
  })

  it('VirtualPay: reproduces the checksums of a published form and of its callback', () => {
    const recipe: Recipe = {
      ...{ merchantId: 'VPMID1', secretKey: 'vp-secret', algorithm: 'sha256', encoding: 'base64' },
      ...{ amountFormat: 'with all decimals', countryFormat: 'two letters', formFields: [], formSignature: '' },
      messageFields: [],
      messageSignature: '{order}{merchant}{reference}{amount}{currency}{status}{secret}',
      statusLabels: [['approved', 'paid']],
    }
    const known = { order: 'dep_01', merchant: 'VPMID1', amount: '100.00', currency: 'USD' }
    assert.equal(
      sign('{order}{merchant}{amount}{currency}', known, recipe),
      'Tymys55vNHVu0tctoqNzY5eCcfbZ5Z2XliXXgNzHNuo=',
    )
    const signature = 'WhswKHTpJURZao00qbfnwHFLODN1FeJtIIF6KQhjyKI='
    const message = { ...known, reference: 'TX7', status: 'approved', signature }
    assert.equal(isSignedByVirtualPay(message, recipe), true)
    assert.equal(isSignedByVirtualPay({ ...message, amount: '1000.00' }, recipe), false)
  })
})
