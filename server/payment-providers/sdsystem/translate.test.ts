import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { banksSetting, codeOfBank } from './banks.ts'
import { keysOf, open, seal } from './cipher.ts'
import {
  acknowledgement,
  codes,
  type Merchant,
  openCallback,
  openPayoutWebhookEvent,
  orderXml,
  payoutReportOf,
  payoutStateOf,
  payoutXml,
  reportOf,
  sealed,
  sealedPayout,
  withinLimit,
} from './translate.ts'

const keys = keysOf('AQIDBAUGBwg=', 'CAcGBQQDAgE=')
assert.ok(keys)
const merchant: Merchant = {
  merchantId: 'SD1001',
  md5Key: '0123456789abcdef0123456789abcdef',
  keys,
  display: 'on a computer',
}
const noise = 'd4ade6df657419f7c1d3d7d31c343434'
const portal = 'https://portal.example.test/psp/sdsystem'
const order = {
  attempt: 'dep_01',
  amount: '100.00',
  currency: 'CNY',
  description: 'Deposit',
  payer: {
    ...{ id: 'member1', email: 'mara@example.com', firstName: 'Mara', lastName: '李', phone: '+35621000000' },
    ...{ country: 'MT', city: 'Valletta', address: '1 Harbour Road', zip: null, state: null, ip: '127.0.0.1' },
    language: 'en',
  },
  urls: { back: `${portal}/return`, cancelled: `${portal}/return`, notify: `${portal}/notify` },
  at: new Date('2024-07-01T03:04:10Z'),
}
const request = [
  'ZshaqcqX0d1ZYM7RioGox+LJfbxcxQ33kG5bdiKf8OSJx5nUkxvz8DeuFfFcxBYh8urgVXe+NVwyxPnoly6eXyM0/+mNtQQ1RvpB',
  'Ej2StJQS/8oIa8NkhONR1+qkgX1yF6p4m24LqLQFaTLGsyAybK0xGjn9nnZY4dEuiJIu28KZhmeZuv2YFh71ucrYmfSfnk/b9zqb',
  'HmqDCRjsk4Gd2cpCcydzBTuKF8+v0x/g4Vw5R/g3FdGMnLw2qC7QuZDMR5OBn5BNOMHfkhRUsSQSG9I37wCOc1UOKAbb7SaEMIC8',
  'cy7Bll6jkb5XoX4hvOm/5a1eMOoW1N0QGm8ANmIV8OEUKBwWeQnfhOYAewpB1nAvXqGB7hZDeRsf/R2YVb5+yc6xL1GghaPdIcCi',
  'jDDdgsfY8hRoctOA5oi7EDPvsm2mPA2It5+gF73W/xEF0gZOW8vF3Q+Dt4nUtbAXIjWo9MhxyDYvyags+GY/QV7D+vGn7A6vBqD3',
  'eYuuK+FB8OEJxfPNRdXWtbUIvXcNH1N+Nxht7HLSlRlcDRvquz2pGaA1jsF6aBfgTS/2hm3uKfR9AMfdPx/ntNWMsb51Ok3XVR8j',
  'I/ANUNbaTk+a20t6FT94gjDMuE+haFte/QQnMRTtlgUAUvTajT3/UGKS9yVfAN9AN0n/Btha',
].join('')
const callback = [
  'ZshaqcqX0d1ZYM7RioGox+LJfbxcxQ33kG5bdiKf8OSJx5nUkxvz8DeuFfFcxBYh8urgVXe+NVwwSqEimLNshlGOpTLGasdVkeuc',
  'VG7ODmntjQw5MQZ35l5ZKsMtvViKz2ld5DosiIwZh2vZ7OUXlJJ1vg+/UCbdVZwOyVJtDOPBGGsVgNvk4WGEZ7VbKzsHscnNMe2N',
  'fU4fPl38EXWK5cA69BLlRGBcFh+223oMuxZ/J0MAs96IjK2HzbvDr/0gGdE0CabLObVW2pnjm6OmD5SLoJhmdBgIU2VuJ7x5ukKg',
  'NuxlzVNPhCoRgfloeVuJEPvS51XLFvwkVZmFXiVmI9MHo1TJ3kGTxezWnGjp6rOoy3G3086wK0CfG0rZaw3sqOWE8zt33JKe0YGh',
  'Jl+dKoyZ3eE1Ls44kT1FeJnAE5euXsI+Ckaaa3xU98WMMR3IAF59hHt86Zj1xClQRACAbg==',
].join('')
const sdPayout = [
  '7qbcZ+0lCdw86MR3IlcRiDdv2y9jRGkcv6tiY+voAiKTaVUb2ar7wACRJm1e4XGL/yoE+UWyHPHIgsML6W2UYfHb9sQWj/xZhqlu',
  'lu9pwTbqiQP0zyYKcrkYvdfs4Jt7CspQWyb1IWZbOJmJDu9T9AoP4ydeobDHcbGhfkbafTQBzeyGARWYhU8gZOVSRZzfwDoRMKet',
  'DeYh6mKef3QNHVo3+FSvB+SfzwXvQd1CFm/YznmDILG4UmUDXA+tePqd+sYz5CNp3Xr3divR4ooSU9rd0eD+i3RYmN/x2ZYlj9h4',
  'p/xqEW+XnJ2zBECdwICeieYIlNSoahg=d4ade6df657419f7c1d3d7d31c343434',
].join('')
const callbackXml =
  '<?xml version="1.0" encoding="utf-8" ?><message><cmd>6007</cmd><merchantid>SD1001</merchantid><order>dep_01</order><username>member1</username><money>100.00</money><unit>1</unit><time>2024-07-01 11:05:33</time><call>server</call><result>1</result><remark>Deposit</remark></message>'

describe('SD System translation', () => {
  it('sd.short: single DES equals triple DES with three equal keys', () => {
    assert.equal(seal('EncryptTest', keys), 'DofxUrOJ05fH/pOflFo9BQ==')
    assert.equal(open('DofxUrOJ05fH/pOflFo9BQ==', keys), 'EncryptTest')
    for (const other of ['DofxUrOJ05fH/pOflFo9BQ', 'DofxUrOJ05fH/pOflFo9BR==', 'Dofx', '', 'x'])
      assert.equal(open(other, keys), null, other)
  })

  it('sd.request: encrypts order, signature and random padding', () => {
    assert.equal(sealed(orderXml(order, merchant), merchant, noise), request)
    assert.throws(() => orderXml({ ...order, currency: 'USD' }, merchant), { failure: 'declined' })
    assert.match(orderXml({ ...order, description: '<a>&' }, merchant), /<remark>&lt;a&gt;&amp;<\/remark>/)
  })

  it('sd.callback.success: accepts only content signed with the inner key', () => {
    assert.equal(sealed(callbackXml, merchant, noise), callback)
    const opened = openCallback(callback, merchant)
    assert.ok(typeof opened !== 'string')
    assert.deepEqual(reportOf(opened), {
      ...{ attempt: 'dep_01', reference: null, state: 'paid', amount: '100.00', currency: 'CNY', reason: null },
      ...{ word: '1', paidAt: '2024-07-01 11:05:33' },
    })
    // With the plus signs that a proxy has decoded to blanks.
    assert.notEqual(openCallback(callback.replaceAll('+', ' '), merchant), 'wrong_signature')
    const forged = sealed(callbackXml, { ...merchant, md5Key: 'f'.repeat(32) }, noise)
    assert.equal(openCallback(forged, merchant), 'wrong_signature')
    assert.equal(openCallback(request, merchant), 'unreadable')
    for (const other of ['', 'AAAA', callback.slice(0, -4), `${callback}0`])
      assert.equal(openCallback(other, merchant), 'wrong_signature')
  })

  it('reads 1 as paid and 2 as declined, and does not act on another code', () => {
    const stateOf = (result: string) => {
      const opened = openCallback(sealed(callbackXml.replace('<result>1<', `<result>${result}<`), merchant), merchant)
      return typeof opened === 'string' ? opened : reportOf(opened).state
    }
    assert.deepEqual(['1', '2'].map(stateOf), ['paid', 'declined'])
    for (const word of ['0', '3', '', '01', 'toString']) assert.equal(stateOf(word), 'unclear', word)
  })

  it('answers in their format', () => {
    const { body, status } = acknowledgement({ merchantId: 'SD1001', order: 'dep_01', username: 'a<b' }, codes.received)
    assert.equal(status, 200)
    assert.match(body, /<cmd>60071<\/cmd><merchantid>SD1001<\/merchantid><order>dep_01<\/order>/)
    assert.match(body, /<username>a&lt;b<\/username><result>100<\/result>/)
  })

  it('accepts keys of 8 and of 24 bytes only', () => {
    assert.ok(keysOf(Buffer.alloc(24, 7).toString('base64'), 'CAcGBQQDAgE='))
    for (const [one, two] of [
      ['AQIDBAUG', 'CAcGBQQDAgE='],
      ['AQIDBAUGBwg=', 'AQID'],
      ['not a key', 'CAcGBQQDAgE='],
    ] as const)
      assert.equal(keysOf(one, two), null)
  })

  it('sd.payout: encrypts the payout and appends random padding', () => {
    const { urls: _urls, ...about } = order
    const payout = {
      ...{ ...about, attempt: 'wd_01', amount: '50.00', account: '6222 0200 0000 0000 001', holder: 'Zhang San' },
      ...{ bankName: 'icbc', bankCode: null, swift: null, tag: null, coin: null, source: null, notify: '' },
    }
    assert.equal(sealedPayout(payoutXml(payout, 'ICBC'), keys, noise), sdPayout)
    assert.throws(() => payoutXml({ ...payout, currency: 'USD' }, 'ICBC'), { failure: 'declined' })
    assert.match(payoutXml({ ...payout, holder: '<i>&' }, 'ICBC'), /<IntoName>&lt;i&gt;&amp;<\/IntoName>/)
  })

  it('reads a positive number as their id, and does not end a payout on a code that a sent payout may cause', () => {
    assert.deepEqual(payoutStateOf('812345678'), { state: 'pending', reference: '812345678' })
    for (const [code, failure] of [
      ['-11', 'declined'],
      ['-12', 'misconfigured'],
      ['-13', 'misconfigured'],
      ['-14', 'misconfigured'],
      ['-16', 'misconfigured'],
      ...['-15', '-1', '0', '-99', '00'].map((each) => [each, 'unknown']),
    ] as const)
      assert.throws(() => payoutStateOf(code ?? ''), { failure }, code)
  })

  it('decrypts a payout message, and nothing encrypted with other keys', () => {
    const webhookEventOf = (state: string, spoiled = '') =>
      sealedPayout(
        `<TransferInfomation><Id>812</Id><IntoAccount>6222 02</IntoAccount><IntoAmount>50.0000</IntoAmount><RecordsState>${state}</RecordsState><Tip>Account closed</Tip><SerialNumber>wd_01</SerialNumber>${spoiled}</TransferInfomation>`,
        keys,
      )
    const readState = (state: string) => {
      const opened = openPayoutWebhookEvent(webhookEventOf(state), keys)
      assert.ok(opened, state)
      return payoutReportOf(opened)
    }
    assert.deepEqual(readState('2'), {
      ...{ kind: 'payout', attempt: 'wd_01', reference: '812', state: 'paid', amount: '50.0000', currency: 'CNY' },
      ...{ account: '622202', reason: null, word: '2' },
    })
    assert.deepEqual(
      ['0', '1', '3'].map((state) => readState(state).state),
      ['pending', 'pending', 'declined'],
    )
    assert.equal(readState('3').reason, 'Account closed')
    for (const word of ['4', 'toString']) assert.equal(readState(word).state, 'unclear', word)
    const others = keysOf('CAcGBQQDAgE=', 'CAcGBQQDAgE=')
    assert.ok(others)
    assert.equal(openPayoutWebhookEvent(webhookEventOf('2'), others), null)
    assert.ok(openPayoutWebhookEvent(webhookEventOf('2').replaceAll('+', ' '), keys))
    // Without a state it is our own order, encrypted with the same keys.
    for (const text of [
      '',
      'AAAA',
      webhookEventOf(''),
      webhookEventOf('2').slice(1),
      webhookEventOf('2', '<Id>9</Id>'),
    ])
      assert.equal(openPayoutWebhookEvent(text, keys), null)
  })

  it('moves only final outcomes above the limit to manual review', () => {
    const said = { attempt: 'a', reference: null, currency: 'CNY', reason: null, word: '' } as const
    const why = (limit: string, state: 'paid' | 'declined', amount: string | null, kind?: 'payout') =>
      withinLimit({ ...said, state, amount, ...(kind && { kind }) }, limit).manualReview ?? null
    assert.equal(why('100', 'paid', '100.01'), 'above_limit')
    assert.equal(why('100', 'declined', '100.01', 'payout'), 'above_limit')
    assert.deepEqual(
      [why('100', 'paid', '100.00'), why('', 'paid', '9999'), why('100', 'declined', '200'), why('1', 'paid', null)],
      [null, null, null, null],
    )
  })

  it('finds the code of a bank by each of its names', () => {
    const banks = banksSetting.schema.parse(banksSetting.usual)
    for (const name of [
      'icbc',
      'Industrial and Commercial Bank of China',
      '中国工商银行',
      'INDUSTRIAL & commercial bank',
    ])
      assert.equal(codeOfBank(banks, name), name.includes('&') ? null : 'ICBC', name)
    assert.deepEqual(
      ['Bank of China', 'Hua-Xia Bank', '', null].map((name) => codeOfBank(banks, name)),
      ['BOC', 'HXB', null, null],
    )
    for (const wrong of ['BOC Bank of China', 'boc = x', 'BOC = Bank\nBOB = bank', 'BOC = '])
      assert.equal(banksSetting.schema.safeParse(wrong).success, false, wrong)
  })
})
