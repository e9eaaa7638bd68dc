import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import type { OrderToStart } from '../contract.ts'
import { findAdapter } from '../registry.ts'
import { basic } from './client.ts'
import { eventOf, handleBody, isSigned, reportOf } from './translate.ts'

const body =
  '{"eventType":"PAYMENT_COMPLETED","attemptNumber":"1","resourceId":"11111111-2222-3333-4444-555555555555","eventDate":"2024-07-01T11:04:10Z","mode":"live","eventName":"PAYMENT_COMPLETED","payload":{"id":"11111111-2222-3333-4444-555555555555","merchantRefNum":"dep_01","amount":10000,"currencyCode":"EUR","status":"COMPLETED","paymentType":"NETELLER"}}'
const signature = 'wWW8eLJE9s9/Hcd32nOmmyU02/Ww6SMH6KBqmNMBCCc='
const key = 'paysafe-hmac-demo'

const order: OrderToStart = {
  attempt: 'dep-0123456789',
  amount: '1139.99',
  currency: 'EUR',
  description: 'Deposit 1042',
  payer: {
    id: 'member-1',
    email: 'wallet@example.com',
    firstName: 'Zoë',
    lastName: '李',
    phone: '+35621000000',
    country: 'MT',
    city: 'Valletta',
    address: '1 Harbour Road',
    zip: null,
    state: null,
    ip: '127.0.0.1',
    language: 'en',
  },
  urls: { back: 'https://p.example/back', cancelled: 'https://p.example/cancel', notify: 'https://p.example/notify' },
  at: new Date('2024-07-01T11:04:10Z'),
}

describe('Neteller translation', () => {
  it('paysafe.webhook: accepts exactly the signed bytes', () => {
    assert.equal(isSigned(Buffer.from(body), signature, key), true)
    assert.equal(isSigned(Buffer.from(JSON.stringify(JSON.parse(body), null, 1)), signature, key), false)
    assert.equal(isSigned(Buffer.from(body.replace('10000', '99999')), signature, key), false)
    for (const given of [undefined, null, '', signature.slice(1), [signature], signature.toLowerCase()])
      assert.equal(isSigned(Buffer.from(body), given, key), false)
    assert.equal(isSigned(Buffer.from(body), signature, ''), false)
  })

  it('paysafe.basic: identifies the caller', () => {
    assert.equal(basic('pmle-demo', 'secret-demo'), 'Basic cG1sZS1kZW1vOnNlY3JldC1kZW1v')
  })

  it('writes and reads minor units exactly', () => {
    assert.match(handleBody(order, ''), /^\{"amount":113999,"currencyCode":"EUR",/)
    assert.match(
      handleBody({ ...order, amount: '25000', currency: 'JPY' }, ''),
      /^\{"amount":25000,"currencyCode":"JPY",/,
    )
    assert.equal(JSON.parse(handleBody(order, '1001')).accountId, '1001')
    assert.equal('accountId' in JSON.parse(handleBody(order, '')), false)
    assert.equal(eventOf(JSON.parse(body)).amount, '100.00')
    for (const amount of [1.5, -1, 1e21, '1e3', '', null, {}, Number.MAX_SAFE_INTEGER + 2])
      assert.equal(reportOf({ amount, currencyCode: 'EUR' }, 'payment').amount, null)
  })

  it('never reads a handle as a payment', () => {
    const about = (eventName: string) => eventOf({ ...JSON.parse(body), eventName })
    assert.deepEqual([about('PAYMENT_COMPLETED').state, about('PAYMENT_HANDLE_COMPLETED').state], ['paid', 'pending'])
    assert.equal(about('PAYMENT_HANDLE_PAYABLE').state, 'payable')
    assert.equal(about('PAYMENT_HANDLE_PAYABLE').reference, null)
    assert.equal(about('PAYMENT_HANDLE_EXPIRED').state, 'declined')
  })

  it('keeps the order of a handle in progress open', () => {
    const stateOf = (status: string) => reportOf({ status }, 'handle').state
    assert.deepEqual(['INITIATED', 'PROCESSING', 'PAYABLE'].map(stateOf), ['unpaid', 'pending', 'payable'])
  })

  it('takes messages of the test system only at its address', () => {
    const verdictAt = (baseUrl: string, mode: string): string => {
      const settings = { username: 'pmle-1', password: 'secret-demo', webhookKey: key, baseUrl }
      const provider = findAdapter('neteller')?.connect(settings, () => assert.fail()) ?? assert.fail()
      const said = Buffer.from(body.replace('"live"', `"${mode}"`))
      const headers = { signature: createHmac('sha256', key).update(said).digest('base64') }
      const read = provider.readWebhookEvent({ method: 'POST', query: '', headers, body: said })
      return read.isGenuine ? 'genuine' : read.why
    }
    const [live, test] = ['https://api.paysafe.com/paymenthub/v1', 'https://api.test.paysafe.com/paymenthub/v1']
    for (const mode of ['test', 'TEST']) assert.equal(verdictAt(live, mode), 'another_merchant')
    assert.deepEqual([verdictAt(live, 'live'), verdictAt(test, 'test')], ['genuine', 'genuine'])
  })

  it('separates payouts, deposits and refunds', () => {
    const about = (eventName: string) => eventOf({ ...JSON.parse(body), eventName })
    assert.deepEqual([about('SA_CREDIT_COMPLETED').kind, about('SA_CREDIT_COMPLETED').state], ['payout', 'paid'])
    assert.equal(about('SA_CREDIT_CANCELLED').state, 'declined')
    assert.equal(about('REFUND_COMPLETED').state, 'returned')
    assert.equal(about('REFUND_FAILED').state, 'hint')
    assert.equal(about('REFUND_TOMORROW').state, 'unclear')
    assert.equal(about('SETTLEMENT_COMPLETED').state, 'hint')
  })

  it('maps the known status words and no unknown one', () => {
    const stateOf = (status: unknown) => reportOf({ status }, 'payment').state
    assert.deepEqual(['HELD', 'FAILED', 'CANCELLED'].map(stateOf), ['pending', 'declined', 'cancelled'])
    for (const word of ['TOMORROW', 'toString', '', null, 7, 'completed']) assert.equal(stateOf(word), 'unclear')
    assert.equal(eventOf({ eventName: 'CUSTOMER_CREATED', payload: 'none' }).state, 'unclear')
    assert.equal(eventOf({}).state, 'unclear')
  })
})
