import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HttpRequest, OrderToStart, PaymentProvider, PayoutToStart } from './contract.ts'
import { findAdapter } from './registry.ts'

const attempt = 'dep-0123456789abcdef01234567'
const payout = 'wd-0123456789abcdef01234567'
const settingsOf: Record<string, Record<string, string>> = {
  coinpayments: { merchantId: 'M', publicKey: 'public', privateKey: 'private-1', ipnSecret: 'ipn-secret-1' },
  neteller: { username: 'pmle-1', password: 'password-1', webhookKey: 'webhook-1' },
  rpnpay: { merchantId: 'RPN1', secretKey: 'rpn-key-demo', payUrl: 'https://pay.example.com' },
  safecharge: { merchantId: '1', siteId: '2', secretKey: 'secret-1' },
  skrill: { payToEmail: 'm@example.com', merchantId: '1', secretWord: 'skrill', apiPassword: 'password-1' },
  zotapay: { merchantId: 'Z', secretKey: 'secret-1', endpoints: 'local_cards USD 1\nsd_payout USD 2' },
}

type Answer = { status?: number; text: string }

/** The adapter, whose calls get these answers one after the other; the last one repeats. */
function connected(uid: string, ...answers: Answer[]): PaymentProvider & { sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  const adapter = findAdapter(uid) ?? assert.fail(uid)
  const provider = adapter.connect(settingsOf[uid] ?? {}, async (request) => {
    const { status = 200, text } = answers[Math.min(sent.length, answers.length - 1)] ?? { text: '' }
    sent.push(request)
    return { status, text }
  })
  return { ...provider, sent }
}

const at = new Date('2026-11-21T09:00:00Z')
const deposit = { attempt, reference: '777', at }
const sentOut = { attempt: payout, reference: '777', at, sentAt: at }

const askDeposit = (uid: string, ...answers: Answer[]) => connected(uid, ...answers).readStatus?.(deposit)
const askPayout = (uid: string, ...answers: Answer[]) => connected(uid, ...answers).readPayout?.(sentOut)

/** "We do not know it" ends an order and lets staff send a payout again, so nothing else may be read as that. */
describe('an answer without an order', () => {
  const absent: [uid: string, text: string][] = [
    ['coinpayments', '{"error":"Transaction not found!","result":[]}'],
    ['coinpayments', '{"error":"Invalid txid","result":[]}'],
    ['safecharge', '{"status":"ERROR","errCode":9146,"reason":"No transaction details returned"}'],
    ['skrill', '403\t\tTransaction not found: dep-1\n'],
    ['zotapay', '{"code":"404","message":"order not found"}'],
  ]
  for (const [uid, text] of absent)
    it(`${uid}: ${text.trim()} means that they do not know it`, async () =>
      assert.equal(await askDeposit(uid, { text }), null))

  const errors: [uid: string, text: string][] = [
    ['coinpayments', '{"error":"An internal error occurred","result":[]}'],
    ['coinpayments', '{"error":"Invalid API version","result":[]}'],
    ['safecharge', '{"status":"SUCCESS","errCode":0}'],
    ['safecharge', '{"status":"SUCCESS","transactionDetails":[]}'],
    ['skrill', '200\t\tOK\n'],
    ['skrill', '200\t\tOK\nstatus=2&status=0&transaction_id=dep-1'],
    ['skrill', '200\t\tOK\n<html>'],
  ]
  for (const [uid, text] of errors)
    it(`${uid}: ${text.trim()} says nothing about it`, async () => {
      await assert.rejects(async () => askDeposit(uid, { text }), { failure: 'unknown' })
      await assert.rejects(async () => askPayout(uid, { text }), { failure: 'unknown' })
    })

  it('rpnpay: distinguishes an unknown payout, wrong settings and any other sentence', async () => {
    for (const text of ['order not found', 'merchant order not exist', '订单不存在', '商户订单号不存在'])
      assert.equal(await askPayout('rpnpay', { text }), null, text)
    for (const text of ['sign error', '签名错误', 'mid not exist', 'merchant not found'])
      await assert.rejects(async () => askPayout('rpnpay', { text }), { failure: 'misconfigured' }, text)
    for (const text of ['system busy', 'error', '系统繁忙'])
      await assert.rejects(async () => askPayout('rpnpay', { text }), { failure: 'unknown' }, text)
  })

  it('rpnpay: the connection test fails with a wrong key', async () => {
    await assert.rejects(connected('rpnpay', { text: 'sign error' }).test(), { failure: 'misconfigured' })
    await connected('rpnpay', { text: 'order not found' }).test()
  })
})

const payer: OrderToStart['payer'] = {
  ...{ id: 'member-1', email: 'mara@example.com', firstName: 'Mara', lastName: 'Member', phone: '+35621000000' },
  ...{ country: 'MT', city: 'Valletta', address: '1 Harbour Road', zip: null, state: null, ip: '127.0.0.1' },
  language: 'en',
}
const toPay: PayoutToStart = {
  ...{ attempt: payout, amount: '100.00', currency: 'USD', description: 'Withdrawal 7', payer, at },
  ...{ account: 'mara@example.com', tag: null, holder: 'Mara Member', bankName: 'Bank', bankCode: null, swift: null },
  ...{ coin: null, source: null, notify: 'https://p.example/notify' },
}

/** A payout that counts as refused is reversed: money that was sent after all would be paid twice. */
describe('a refusal of a payout', () => {
  const bodies: Record<string, (status: number) => string> = {
    neteller: () => '{"error":{"code":"1007","message":"no"}}',
    zotapay: (status) => `{"code":"${status}","message":"no"}`,
  }
  for (const [uid, bodyOf] of Object.entries(bodies)) {
    const payOut = (status: number) => connected(uid, { status, text: bodyOf(status) }).payOut?.(toPay)
    it(`${uid}: a time-out or a conflict leaves the outcome unknown`, async () => {
      for (const status of [408, 409, 425, 499, 500, 502, 504])
        await assert.rejects(async () => payOut(status), { failure: 'unknown' }, `${status}`)
    })
    it(`${uid}: any other refusal is final, or for staff`, async () => {
      for (const [status, failure] of [
        [400, 'declined'],
        [402, 'declined'],
        [401, 'misconfigured'],
        [429, 'unavailable'],
      ] as const)
        await assert.rejects(async () => payOut(status), { failure }, `${status}`)
    })
  }
})

it('neteller: an ended try does not hide one that is paid or in progress', async () => {
  const listed = (name: string, ref: string, statuses: string[]): string =>
    JSON.stringify({ [name]: statuses.map((status) => ({ id: status, merchantRefNum: ref, status })) })
  for (const [statuses, reference] of [
    [['FAILED', 'PENDING'], 'PENDING'],
    [['PENDING', 'CANCELLED', 'COMPLETED'], 'COMPLETED'],
    [['FAILED', 'CANCELLED'], 'FAILED'],
  ] as const) {
    const paid = await askDeposit('neteller', { text: listed('payments', attempt, [...statuses]) })
    assert.equal(paid?.reference, reference)
    const sent = await askPayout('neteller', { text: listed('standaloneCredits', payout, [...statuses]) })
    assert.equal(sent?.reference, reference)
  }
})
