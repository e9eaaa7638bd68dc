import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OrderToStart, PayoutToStart } from '../contract.ts'
import { depositBody, isSigned, payoutBody, reportOf, statusQuery } from './translate.ts'

const secret = 'EXAMPLE-SECRET-KEY'
const message = {
  endpointID: '1050',
  orderID: '8b3a6b89697e8ac8f45d964bcc90c7ba41764acd',
  merchantOrderID: 'QvE8dZshpKhaOmHY',
  status: 'APPROVED',
  amount: '500.00',
  currency: 'USD',
  customerEmail: 'customer@email-address.com',
  signature: '062c0480aafd1faf735b987f5a2f878634d7931ffb3df256cdbfa77c31a2a4cc',
}

const order: OrderToStart = {
  attempt: 'QvE8dZshpKhaOmHY',
  amount: '500.00',
  currency: 'USD',
  description: 'Deposit 1042',
  payer: {
    id: 'member-1',
    email: 'customer@email-address.com',
    firstName: 'Zoë',
    lastName: '李'.repeat(200),
    phone: '+356 (21) 000-000-000-000',
    country: 'MT',
    city: 'Valletta',
    address: '1 Harbour Road',
    zip: null,
    state: 'MT-60',
    ip: '127.0.0.1',
    language: 'en',
  },
  urls: { back: 'https://p.example/back', cancelled: 'https://p.example/cancel', notify: 'https://p.example/notify' },
  at: new Date('2019-08-01T00:00:00Z'),
}

describe('Zota translation', () => {
  it('zota.deposit.docs: signs endpoint, order, amount and email', () => {
    const body = depositBody(order, { id: '1050', currency: 'USD', method: 'local_cards' }, secret)
    assert.equal(body.signature, '47d7ed292cf10e689b311ef5573eddbcc8505fe51e20d3f74e6b33756d96800b')
    assert.equal(body.customerPhone, '+35621000000000')
    assert.equal([...(body.customerLastName ?? '')].length, 128)
    assert.equal('customerState' in body, false)
  })

  it('zota.payout.node-sdk: sends the known parts of the bank’s address under the SDK’s names', () => {
    const { urls: _urls, ...about } = order
    const payout: PayoutToStart = {
      ...{ ...about, attempt: 'testMerchantId', amount: '500', account: '3678094857345', holder: 'Zoë Li' },
      ...{ bankName: 'Members Bank', bankCode: null, swift: 'BUKBGB22', tag: null, coin: null, source: null },
      bankAddress: {
        ...{ street: '1 Churchill Place', city: 'London', state: 'x'.repeat(80) },
        ...{ branch: 'Canary Wharf', postcode: 'E14 5HP', routingNumber: '202016' },
      },
      notify: 'https://p.example/notify',
    }
    const endpoint = { id: 'testEndpointId', currency: 'USD', method: 'sd_payout' }
    const body = payoutBody(payout, endpoint, 'testMerchantKey')
    assert.equal(body.signature, '98dd04a5a24729498818033ba491716332afe7a6d614c41daf8e92b209643f6f')
    const ofBank = Object.fromEntries(Object.entries(body).filter(([name]) => name.startsWith('customerBank')))
    assert.deepEqual(ofBank, {
      customerBankAccountNumber: '3678094857345',
      customerBankAccountName: 'Zoë Li',
      customerBankSwiftCode: 'BUKBGB22',
      customerBankBranch: 'Canary Wharf',
      customerBankZipCode: 'E14 5HP',
      customerBankRoutingNumber: '202016',
      customerBankAddress: '1 Churchill Place',
      customerBankProvince: 'x'.repeat(64),
      customerBankArea: 'London',
    })
    const { bankAddress: _none, ...without } = payout
    const silent = payoutBody(without, endpoint, 'testMerchantKey')
    for (const name of ['customerBankAddress', 'customerBankProvince', 'customerBankArea', 'customerBankBranch'])
      assert.equal(name in silent, false, name)
  })

  it('zota.status.docs: queries with a signed time', () => {
    const query = new URLSearchParams(
      statusQuery({
        merchantId: 'EXAMPLE-MERCHANT-ID',
        attempt: 'QvE8dZshpKhaOmHY',
        reference: '8b3a6b89697e8ac8f45d964bcc90c7ba41764acd',
        at: order.at,
        secret,
      }),
    )
    assert.equal(query.get('signature'), '4a01f6cc95e6a7a771afe0e49f59fb572dbadec449f175d978e722b97ee9785d')
  })

  it('zota.callback.docs: accepts a message only with the signature over its content', () => {
    assert.equal(isSigned(message, secret), true)
    for (const [name, value] of Object.entries({ amount: '5000.00', status: 'DECLINED', merchantOrderID: 'another' }))
      assert.equal(isSigned({ ...message, [name]: value }, secret), false, name)
    for (const signature of [undefined, null, '', [message.signature], { 0: 'x' }, message.signature.slice(1), true])
      assert.equal(isSigned({ ...message, signature }, secret), false)
    assert.equal(isSigned({ ...message, amount: ['500.00'] }, secret), false)
    assert.equal(isSigned(message, ''), false)
  })

  it('maps the known status words and no unknown one', () => {
    const stateOf = (status: unknown) => reportOf({ ...message, status }).state
    assert.equal(stateOf('APPROVED'), 'paid')
    assert.equal(stateOf('PROCESSING'), 'pending')
    assert.equal(stateOf('FILTERED'), 'declined')
    for (const word of ['UNKNOWN', 'toString', '', null, 7]) assert.equal(stateOf(word), 'unclear', String(word))
  })

  it('counts an approved order as paid only if it is of the expected type', () => {
    const stateOf = (type: unknown, isPayout = false) => reportOf({ ...message, type }, isPayout).state
    assert.deepEqual(
      ['SALE', 'sale', '', null, undefined].map((type) => stateOf(type)),
      Array(5).fill('paid'),
    )
    for (const type of ['REFUND', 'CHARGEBACK']) assert.equal(stateOf(type), 'returned', type)
    for (const type of ['PAYOUT', 'AUTH', 'TOMORROW']) assert.equal(stateOf(type), 'unclear', type)
    assert.deepEqual([stateOf('PAYOUT', true), stateOf('SALE', true)], ['paid', 'unclear'])
    assert.equal(reportOf({ ...message, type: 'PAYOUT', status: 'DECLINED' }).state, 'declined')
  })

  it('sends a state as its code only, and the longest phone number whole', () => {
    const endpoint = { id: '1050', currency: 'USD', method: 'local_cards' }
    const bodyOf = (payer: Partial<OrderToStart['payer']>) =>
      depositBody({ ...order, payer: { ...order.payer, ...payer } }, endpoint, secret)
    for (const [country, state, code] of [
      ['US', 'California', 'CA'],
      ['US', ' new york ', 'NY'],
      ['US', 'US-TX', 'TX'],
      ['CA', 'québec', 'QC'],
      ['AU', 'New South Wales', 'NSW'],
      ['AU', 'vic', 'VIC'],
      ['US', 'Calif', undefined],
      ['CA', null, undefined],
      ['MT', 'CA', undefined],
    ] as const)
      assert.equal(bodyOf({ country, state }).customerState, code, `${country} ${state}`)
    assert.equal(bodyOf({ phone: '+123 456789012345' }).customerPhone, '123456789012345')
    assert.equal(bodyOf({ phone: '+12345678901234' }).customerPhone, '+12345678901234')
  })

  it('refuses an invalid amount', () => {
    for (const amount of ['1e3', '0x10', 'NaN', '-1', '1,000', '١٠٠', '', null, {}])
      assert.equal(reportOf({ ...message, amount }).amount, null)
  })
})
