// spec: AO 3
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callTime, isAmbiguous, isSigned, type Merchant, pageChecksum, pageTime, readMessage } from './translate.ts'

const merchant: Merchant = {
  merchantId: '1000000001',
  siteId: '200001',
  secretKey: 'SecretDemo',
  hash: 'sha256',
  urlForm: 'plain',
}

const dmn = new URLSearchParams({
  totalAmount: '100.00',
  currency: 'USD',
  responseTimeStamp: '2024-07-01.11:05:00',
  PPP_TransactionID: '7001',
  Status: 'APPROVED',
  merchant_unique_id: 'dep-0123456789',
  transactionType: 'Sale',
  advanceResponseChecksum: 'e3e6043d692d30fc3eb95ae11b81e48f84eeaa9bd2b8222e637eda3473f815cb',
})

const changed = (changes: Record<string, string>): URLSearchParams => {
  const message = new URLSearchParams(dmn)
  for (const [name, value] of Object.entries(changes)) message.set(name, value)
  return message
}

describe('SafeCharge translation', () => {
  it('safecharge.page.2: hashes the secret followed by the values in order', () => {
    const fields = Object.entries({
      merchant_id: '1000000001',
      merchant_site_id: '200001',
      total_amount: '100.00',
      currency: 'USD',
      user_token_id: 'member-1',
      item_name_1: 'Deposit',
      item_amount_1: '100.00',
      item_quantity_1: '1',
      time_stamp: '2024-07-01.11:04:10',
      version: '4.0.0',
      notify_url: 'https://portal.example.test/psp/safecharge/notify',
      merchant_unique_id: 'dep_01',
    }).map(([name, value]) => ({ name, value }))
    const expected = '7deaec34d27a08469d33d649e61dd9d4445a637c563382227456df989cadfb08'
    assert.equal(pageChecksum(fields, merchant), expected)
    assert.notEqual(pageChecksum(fields, { ...merchant, urlForm: 'encoded' }), expected)
    assert.notEqual(pageChecksum([...fields].reverse(), merchant), expected)
  })

  it('writes times in GMT', () => {
    const at = new Date('2024-07-01T11:04:10Z')
    assert.equal(pageTime(at), '2024-07-01.11:04:10')
    assert.equal(callTime(at), '20240701110410')
  })

  it('accepts a message only with the checksum over its content', () => {
    assert.equal(isSigned(dmn, merchant), true)
    for (const [name, value] of Object.entries({ totalAmount: '1000.00', currency: 'EUR', PPP_TransactionID: '7002' }))
      assert.equal(isSigned(changed({ [name]: value }), merchant), false, name)
    assert.equal(isSigned(changed({ Status: 'DECLINED' }), merchant), false)
    assert.equal(isSigned(changed({ advanceResponseChecksum: '' }), merchant), false)
    assert.equal(isSigned(dmn, { ...merchant, secretKey: '' }), false)
  })

  it('refuses a duplicate field as ambiguous', () => {
    const twice = new URLSearchParams(`${dmn}&totalAmount=1.00`)
    assert.equal(isAmbiguous(twice), true)
    assert.equal(isAmbiguous(dmn), false)
  })

  it('separates a deposit from an authorization, a refund and an unknown status', () => {
    const stateOf = (changes: Record<string, string>) => readMessage(changed(changes)).state
    assert.equal(stateOf({}), 'paid')
    assert.equal(stateOf({ transactionType: 'Auth' }), 'pending')
    assert.equal(stateOf({ transactionType: 'Chargeback' }), 'returned')
    assert.equal(stateOf({ transactionType: 'Credit' }), 'returned')
    assert.equal(stateOf({ transactionType: 'Tomorrow' }), 'unclear')
    assert.equal(stateOf({ Status: 'DECLINED' }), 'try_declined')
    assert.equal(stateOf({ Status: 'PENDING' }), 'pending')
    assert.equal(stateOf({ Status: 'CANCELLED' }), 'cancelled')
    for (const Status of ['constructor', 'Approved', 'approved', ''])
      assert.equal(stateOf({ Status }), 'unclear', Status)
  })

  it('reads the brand of a card and no other card data', () => {
    const said = { cardNumber: '4****9876', nameOnCard: 'Mara Member' }
    assert.equal(readMessage(changed({ ...said, cardCompany: 'MasterCard' })).card, 'mastercard')
    assert.equal(JSON.stringify(readMessage(changed({ ...said, cardCompany: 'Visa' }))).includes('9876'), false)
    for (const cardCompany of ['', 'Tomorrow', 'constructor'])
      assert.equal('card' in readMessage(changed({ cardCompany })), false, cardCompany)
  })

  it('refuses an invalid amount', () => {
    for (const totalAmount of ['1e3', '0x10', 'NaN', '-1', '1,000', '١٠٠', ''])
      assert.equal(readMessage(changed({ totalAmount })).amount, null, totalAmount)
  })
})
