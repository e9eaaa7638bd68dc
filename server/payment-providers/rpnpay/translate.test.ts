import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectWith } from '../../payments/connections/provider.ts'
import type { OrderToStart, PayoutToStart } from '../contract.ts'
import {
  fieldNames,
  formFields,
  isSigned,
  isSignedPayout,
  payoutBody,
  payoutHint,
  payoutQuery,
  payoutReport,
  payoutStateOf,
  reportOf,
} from './translate.ts'

const key = 'rpn-key-demo'
const merchant = { merchantId: 'RPN10001', secretKey: key, version: '1.0', bankId: '', fieldOrder: fieldNames }
const payer: OrderToStart['payer'] = {
  ...{ id: 'member1', email: 'mara@example.com', firstName: 'Mara', lastName: '李', phone: '+35621000000' },
  ...{ country: 'MT', city: 'Valletta', address: '1 Harbour Road', zip: null, state: null, ip: '127.0.0.1' },
  language: 'en',
}
const portal = 'https://portal.example.test/psp/rpnpay'
const order: OrderToStart = {
  attempt: 'dep_01',
  amount: '100.00',
  currency: 'CNY',
  description: 'Deposit 1042',
  payer,
  urls: { back: `${portal}/return`, cancelled: `${portal}/return?x=1`, notify: `${portal}/notify` },
  at: new Date('2024-07-01T03:04:10Z'),
}
const valueIn = (fields: readonly { name: string; value: string }[], name: string) =>
  fields.find((field) => field.name === name)?.value

const webhookEvent = new Map(
  Object.entries({
    order_id: 'dep_01',
    order_time: '20240701110410',
    order_amount: '10000',
    deal_id: 'RD900001',
    deal_time: '20240701110533',
    pay_amount: '10000',
    pay_result: '3',
    signature: '5afd8c8bbe45c64b44d940ee2f5519fd',
  }),
)
const paidOut = new Map([
  ...[['RespCode', '30'] as const, ['WSno', 'WS777'] as const, ['Amount', '100.00'] as const],
  ...[['OrderSno', 'wd_01'] as const, ['Sign', 'e80a6a69119b677591c9bf1f023ec69c'] as const],
])
const payout = {
  ...{ attempt: 'wd_01', amount: '100.00', currency: 'CNY', description: 'Withdrawal 7', payer, at: order.at },
  ...{
    account: '6222 0200 0000 0000 001',
    holder: '张三',
    bankName: '工商银行',
    bankCode: null,
    swift: null,
    tag: null,
  },
  ...{ coin: null, source: null, notify: `${portal}/notify` },
} satisfies PayoutToStart

describe('RPN Pay translation', () => {
  it('rpn.deposit: signs the fields in their posting order', () => {
    const fields = formFields(order, merchant)
    assert.equal(valueIn(fields, 'signature'), '2b6f27881ba8b97673e9824a022dcfdb')
    assert.deepEqual(
      fields.map(({ name }) => name),
      [...fieldNames.slice(0, 8), 'signature'],
    )
    const other = formFields(order, { ...merchant, fieldOrder: ['notify_url', ...fieldNames.slice(0, 7)] })
    assert.equal(other[0]?.name, 'notify_url')
    assert.notEqual(valueIn(other, 'signature'), '2b6f27881ba8b97673e9824a022dcfdb')
  })

  it('sends the payer in version 1.1 only, and refuses values that cannot be signed', () => {
    const fields = formFields(order, { ...merchant, version: '1.1' })
    assert.equal(valueIn(fields, 'user_name'), 'Mara 李')
    assert.equal(valueIn(fields, 'return_url'), undefined)
    for (const lastName of ['a|key=b', 'a=b'])
      assert.throws(() => formFields({ ...order, payer: { ...payer, lastName } }, { ...merchant, version: '1.1' }), {
        failure: 'declined',
      })
    assert.throws(() => formFields({ ...order, currency: 'USD' }, merchant), { failure: 'declined' })
    assert.throws(() => formFields({ ...order, amount: '100.001' }, merchant), { failure: 'declined' })
  })

  it('rpn.notify.paid and rpn.notify.processing: accepts only messages signed with the key', () => {
    assert.equal(isSigned(webhookEvent, key), true)
    const processing = new Map([
      ...webhookEvent,
      ['pay_result', '1'],
      ['signature', '490932961bdd9602761ab7dddcba6ba0'],
    ])
    assert.equal(isSigned(processing, key), true)
    for (const [name, value] of Object.entries({ pay_amount: '100000', pay_result: '1', order_id: 'dep_02' }))
      assert.equal(isSigned(new Map([...webhookEvent, [name, value]]), key), false, name)
    assert.equal(isSigned(new Map([...webhookEvent, ['signature', '']]), key), false)
    assert.equal(isSigned(webhookEvent, ''), false)
  })

  it('reads fen as yuan, and does not act on an unknown status', () => {
    assert.equal(reportOf(webhookEvent, []).amount, '100.00')
    const stateOf = (word: string) => reportOf(new Map([...webhookEvent, ['pay_result', word]]), ['2', '4']).state
    assert.deepEqual(['3', '1', '2', '9'].map(stateOf), ['paid', 'pending', 'declined', 'unclear'])
    for (const word of ['', 'paid', '3 ', 'toString', '03.0']) assert.equal(stateOf(word), 'unclear', word)
  })

  it('rpn.payout.request: signs merchant, order and yuan', () => {
    const body = JSON.parse(payoutBody(payout, 'RPN10001', key)) as Record<string, string>
    assert.equal(body.Sign, 'f3fd7f31bb6a6333b1432efb9fa8d014')
    assert.deepEqual([body.BankCardNo, body.BankName, body.Province], ['6222020000000000001', '工商银行', '无'])
    const bankAddress = { street: null, postcode: null, routingNumber: null, branch: '陆家嘴', state: '上海', city: '' }
    const known = JSON.parse(payoutBody({ ...payout, bankAddress }, 'RPN10001', key)) as Record<string, string>
    assert.deepEqual([known.SubBranch, known.Province, known.Area, known.Sign], ['陆家嘴', '上海', '无', body.Sign])
  })

  it('rpn.payout.callback: yields a hint only', () => {
    assert.equal(isSignedPayout(paidOut, key), true)
    assert.equal(isSignedPayout(new Map([...paidOut, ['Amount', '1000.00']]), key), false)
    assert.equal(isSignedPayout(paidOut, ''), false)
    // Our attempt id is not signed: whatever the message names, the provider is queried about it.
    assert.equal(isSignedPayout(new Map([...paidOut, ['OrderSno', 'wd_02']]), key), true)
    assert.equal(payoutHint(paidOut).state, 'hint')
  })

  it('rpn.payout.query: signs the query and reads one line', () => {
    assert.deepEqual(payoutQuery('wd_01', 'RPN10001', key).at(-1), ['sign', 'ed2b6536275b9377768f6c0d3e4f3290'])
    const read = (status: string) => payoutReport(`wd_01|100.00|${status}|20240701110533|x`)
    assert.deepEqual(
      ['20', '30', '25', '40', '50', '31'].map((status) => read(status)?.state),
      ['pending', 'paid', 'declined', 'declined', 'declined', 'unclear'],
    )
    assert.equal(payoutReport('order not found'), null)
    assert.equal(payoutReport('wd_02|100.00|30|20240701110533|x')?.attempt, 'wd_02')
    assert.equal(payoutReport('|100.00|30|20240701110533|x')?.attempt, null)
  })

  it('treats only their documented refusals as declined', () => {
    assert.deepEqual(payoutStateOf({ RespCode: '20', WSno: 'WS777' }), { state: 'pending', reference: 'WS777' })
    const failed = { RespCode: '25', RespMsg: '%E4%BD%99%E9%A2%9D' }
    assert.throws(() => payoutStateOf(failed), { failure: 'declined', detail: '余额' })
    assert.throws(() => payoutStateOf({ RespCode: '25', RespMsg: '%zz' }), { failure: 'declined', detail: 'code 25' })
    for (const RespCode of ['12', '', null, 'toString'])
      assert.throws(() => payoutStateOf({ RespCode }), { failure: 'unknown' })
  })

  it('refuses to connect without its key, or with a field order that lacks a required field', () => {
    const config = { production: true, platformNetworks: [] }
    const given = { merchantId: 'RPN10001', secretKey: 'rpn-key-demo', payUrl: 'https://pay.example.com/pay.php' }
    const connect = (more: object) =>
      connectWith({ config } as unknown as Parameters<typeof connectWith>[0], 'rpnpay', { ...given, ...more })
    assert.deepEqual(connect({}).frameOrigins, ['https://pay.example.com'])
    assert.equal(connect({ display: 'on a page of theirs' }).frameOrigins, undefined)
    const wrong = [{ secretKey: '' }, { fieldOrder: 'mid order_id' }, { fieldOrder: 'mid key' }, { payUrl: '' }]
    for (const more of [...wrong, { queryUrl: 'query' }])
      assert.throws(() => connect(more), { failure: 'misconfigured' })
  })
})
