import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OrderToStart } from '../contract.ts'
import { readForm } from '../messages.ts'
import { withoutTrailingZeros } from '../trailing-zeros.ts'
import { readXml } from '../xml.ts'
import { passwordHash } from './client.ts'
import { failureOfSending, isSigned, type Merchant, prepareFields, reportOf, sentState } from './translate.ts'

const merchant: Merchant = {
  payToEmail: 'merchant@example.com',
  merchantId: '100005',
  secretWords: ['skrill'],
  signature: 'md5sig',
  shopName: 'Harbour Markets',
}

const said = {
  pay_to_email: 'merchant@example.com',
  merchant_id: '100005',
  transaction_id: 'dep_01',
  mb_transaction_id: '200042',
  mb_amount: '25.46',
  mb_currency: 'EUR',
  amount: '25.46',
  currency: 'EUR',
  status: '2',
  md5sig: '4225567E74F4B0F20FAA8068D5335F72',
  sha2sig: '492934A7AF6D073C2CF10156E8938664033BB3CFBA22644248D87B317FE5FCEF',
}
const form = (changes: Record<string, string> = {}) =>
  readForm(new URLSearchParams({ ...said, ...changes }).toString()) ?? new Map<string, string>()

const order: OrderToStart = {
  attempt: 'dep-0123456789',
  amount: '250.50',
  currency: 'USD',
  description: 'Deposit 1042',
  payer: {
    id: 'member-1',
    email: 'customer@example.com',
    firstName: 'Zoë'.repeat(20),
    lastName: '李'.repeat(200),
    phone: '+356 (21) 000-000',
    country: 'MT',
    city: 'Valletta',
    address: '1 Harbour Road',
    zip: 'VLT 1117 XYZ',
    state: null,
    ip: '127.0.0.1',
    language: 'en',
  },
  urls: { back: 'https://p.example/back', cancelled: 'https://p.example/cancel', notify: 'https://p.example/notify' },
  at: new Date('2024-07-01T11:04:10Z'),
}

describe('Skrill translation', () => {
  it('skrill.md5sig.omnipay: accepts the published example', () => {
    const message = {
      merchant_id: '69340665',
      transaction_id: '58758699d778f',
      mb_amount: '5.32',
      md5sig: 'EBB514CF0CB7169C3F08FE817C58FDE6',
    }
    assert.equal(isSigned(form(message), { ...merchant, secretWords: ['asdfghjkl'] }), true)
    assert.equal(isSigned(form(message), merchant), false)
  })

  it('skrill.md5sig.2 and skrill.sha2sig.2: accepts a message only with the signature over its content', () => {
    assert.equal(isSigned(form(), merchant), true)
    assert.equal(isSigned(form(), { ...merchant, signature: 'sha2sig' }), true)
    for (const [name, value] of Object.entries({ mb_amount: '2500.46', status: '0', transaction_id: 'dep_02' }))
      assert.equal(isSigned(form({ [name]: value }), merchant), false, name)
    for (const md5sig of ['', said.sha2sig, said.md5sig.slice(1), 'Ω'.repeat(32)])
      assert.equal(isSigned(form({ md5sig }), merchant), false)
    assert.equal(isSigned(form(), { ...merchant, secretWords: [''] }), false)
  })

  it('skrill.sha2sig: accepts the secret word hashed by MD5 or by SHA-256, and nothing else', () => {
    const isTaken = (sha2sig: string) => isSigned(form({ sha2sig }), { ...merchant, signature: 'sha2sig' })
    assert.equal(isTaken('3925C3BD93A29957B4EF05C2A61B2070E3BC665053916AD691E2EC0CD458C657'), true)
    assert.equal(isTaken(said.sha2sig.toLowerCase()), true)
    // md5sig has one form only: both hashed by MD5.
    const mixed = form({ md5sig: '3925C3BD93A29957B4EF05C2A61B2070E3BC665053916AD691E2EC0CD458C657' })
    assert.equal(isSigned(mixed, merchant), false)
    assert.equal(isTaken(said.sha2sig.replace('4', '5')), false)
  })

  it('skrill.md5sig: accepts the signatures of a pending and a failed payment', () => {
    assert.equal(isSigned(form({ status: '0', md5sig: 'B64620A77F0EDE99CDD6352B8C5F345D' }), merchant), true)
    assert.equal(isSigned(form({ status: '-2', md5sig: '7506F3BA30FEB4B513D76EEE3A919263' }), merchant), true)
  })

  it('skrill.api-password: sends the password hashed', () => {
    assert.equal(passwordHash('skrill123'), '3ec28026eb2b38452c84636d981000df')
  })

  it('signs the amount as received: another spelling of the same amount is another message', () => {
    assert.equal(isSigned(form({ mb_amount: '25.460' }), merchant), false)
    assert.equal(reportOf(form({ mb_amount: '25.4' }), 'notification').amount, '25.4')
  })

  it('accepts the previous secret word while it is being changed', () => {
    assert.equal(isSigned(form(), { ...merchant, secretWords: ['another', 'skrill'] }), true)
    assert.equal(isSigned(form(), { ...merchant, secretWords: ['another'] }), false)
  })

  it('writes amounts without trailing zeros', () => {
    for (const [amount, plain] of [
      ['23.00', '23'],
      ['23.50', '23.5'],
      ['100', '100'],
      ['1000.00', '1000'],
      ['0.05', '0.05'],
    ] as const)
      assert.equal(withoutTrailingZeros(amount), plain)
  })

  it('respects their length and character limits', () => {
    const fields = Object.fromEntries(prepareFields(order, merchant))
    assert.equal(fields.amount, '250.5')
    assert.equal(fields.country, 'MLT')
    assert.equal(fields.phone_number, '35621000000')
    assert.equal(fields.postal_code, 'VLT1117XY')
    assert.deepEqual([[...(fields.firstname ?? '')].length, [...(fields.lastname ?? '')].length], [20, 50])
    assert.equal('state' in fields, false)
    const nowhere = prepareFields({ ...order, payer: { ...order.payer, country: 'XX' } }, merchant)
    assert.equal('country' in Object.fromEntries(nowhere), false)
  })

  it('maps the known status codes and no unknown one', () => {
    const stateOf = (status: string) => reportOf(form({ status }), 'notification').state
    const known = { '2': 'paid', '0': 'pending', '-1': 'cancelled', '-2': 'declined', '-3': 'returned' }
    for (const [word, state] of Object.entries(known)) assert.equal(stateOf(word), state)
    for (const word of ['3', '', '2.0', 'toString', '٢']) assert.equal(stateOf(word), 'unclear', word)
  })

  it('refuses an invalid amount', () => {
    for (const mb_amount of ['1e3', '0x10', 'NaN', '-1', '1,000', '١٠٠', ''])
      assert.equal(reportOf(form({ mb_amount }), 'notification').amount, null)
  })

  it('reads the order’s own amount from an answer, not the amount credited to the account', () => {
    assert.equal(reportOf(form({ currency: 'USD', amount: '30' }), 'answer').amount, '30')
  })

  it('accepts an answer to a transfer only with the exact amount and currency', () => {
    const asked = { amount: '248.50', currency: 'EUR' }
    const answer = (values: Record<string, string>) => {
      const said = { amount: '248.5', currency: 'EUR', id: '200042', status: '2', ...values }
      const texts = Object.entries(said).map(([name, value]) => `<${name}>${value}</${name}>`)
      return readXml(`<response><transaction>${texts.join('')}</transaction></response>`) ?? new Map<string, string>()
    }
    assert.deepEqual(sentState(answer({}), asked), { state: 'paid', reference: '200042' })
    assert.equal(sentState(answer({ status: '1' }), asked).state, 'pending')
    assert.equal(sentState(answer({ status: '-2' }), asked).state, 'declined')
    for (const wrong of [{ amount: '2485' }, { amount: '' }, { currency: 'USD' }, { status: '7' }, { status: '' }])
      assert.throws(() => sentState(answer(wrong), asked), { failure: 'unknown' })
  })

  it('treats only their documented refusals as final', () => {
    for (const word of ['MISSING_AMOUNT', 'INVALID_BNF_EMAIL', 'SINGLE_TRN_LIMIT_VIOLATED', 'DISALLOWED_RECIPIENT'])
      assert.equal(failureOfSending(word), 'declined', word)
    for (const word of ['CANNOT_LOGIN', 'BALANCE_NOT_ENOUGH'])
      assert.equal(failureOfSending(word), 'misconfigured', word)
    for (const word of ['ALREADY_EXECUTED', 'SESSION_EXPIRED', 'LATER', ''])
      assert.equal(failureOfSending(word), 'unknown', word)
  })
})
