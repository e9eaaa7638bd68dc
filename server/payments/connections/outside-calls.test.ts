/**
 * Compares our calls field by field with other clients and documents, without a simulator, to find errors that adapter
 * and simulator share. Hashes are published ones or were made by OpenSSL.
 */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type {
  Http,
  HttpRequest,
  OrderToStart,
  PaymentProvider,
  PayoutToStart,
} from '../../payment-providers/contract.ts'
import { connectWith } from './provider.ts'

const payer = {
  ...{ id: 'member-1', email: 'customer@example.com', firstName: 'Mara', lastName: 'Member', phone: '+356 2100 0000' },
  ...{ country: 'MT', city: 'Valletta', address: '1 Harbour Road', zip: 'VLT1117', state: null, ip: '127.0.0.1' },
  language: 'en',
}
const at = new Date('2024-07-01T11:04:10Z')
const order: OrderToStart = {
  ...{ attempt: 'dep-1', amount: '100.00', currency: 'USD', description: 'Deposit 1042', payer, at },
  urls: { back: 'https://p.example/back', cancelled: 'https://p.example/cancel', notify: 'https://p.example/notify' },
}
const payout: PayoutToStart = {
  ...{ attempt: 'wd-1', amount: '50.00', currency: 'USD', description: 'Withdrawal 7', payer, at },
  ...{ account: 'mara@example.com', holder: 'Mara Member', bankName: null, bankCode: null, swift: null, tag: null },
  ...{ coin: null, source: { attempt: 'dep-1', reference: '9001' }, notify: 'https://p.example/notify' },
}

/** Records an adapter's calls and answers them in turn with the vendor's answers. */
function listen(uid: string, settings: Record<string, string>, answers: readonly (string | object)[]) {
  const calls: HttpRequest[] = []
  const http: Http = async (request) => {
    const answer = answers[calls.length] ?? ''
    calls.push(request)
    return { status: 200, text: typeof answer === 'string' ? answer : JSON.stringify(answer) } as Awaited<
      ReturnType<Http>
    >
  }
  const provider: PaymentProvider = connectWith({ config: { production: false } } as never, uid, settings, http)
  const urlOf = (index: number): string => `${calls[index]?.method} ${calls[index]?.url}`
  const formOf = (index: number) => Object.fromEntries(new URLSearchParams(calls[index]?.body))
  const jsonOf = (index: number) => JSON.parse(calls[index]?.body ?? 'null') as Record<string, unknown>
  return { provider, urlOf, formOf, jsonOf, headersOf: (index: number) => calls[index]?.headers ?? {} }
}

describe('calls match the vendors’ documents and other clients', () => {
  it('nuvei: payout.do carries the checksum of the published example, over the member’s payment option', async () => {
    const settings = { merchantId: '1000000001', siteId: '200001', secretKey: 'SecretDemo' }
    const paid = {
      ...{ status: 'SUCCESS', clientUniqueId: 'dep-1', paymentOption: { userPaymentOptionId: '77' } },
      transactionDetails: { transactionId: '9001', transactionStatus: 'APPROVED', transactionType: 'Sale' },
    }
    const made = { status: 'SUCCESS', transactionStatus: 'APPROVED', transactionId: '9002' }
    const { provider, urlOf, jsonOf } = listen('safecharge', settings, [paid, made])
    assert.deepEqual(await provider.payOut?.(payout), { state: 'paid', reference: '9002' })
    assert.match(urlOf(0), /^POST https:\/\/\S+\/getTransactionDetails\.do$/)
    assert.equal(jsonOf(0).transactionId, '9001')
    assert.match(urlOf(1), /^POST https:\/\/\S+\/payout\.do$/)
    const { checksum, timeStamp, userPaymentOption, clientRequestId, merchantSiteId } = jsonOf(1)
    assert.equal(checksum, '3d848f325cad6b8bd572d9faaf28df7eaa3c3414e12c887fd0a7c100830f06de')
    assert.deepEqual([timeStamp, clientRequestId, merchantSiteId], ['20240701110410', 'wd-1', '200001'])
    assert.deepEqual(userPaymentOption, { userPaymentOptionId: '77' })
  })

  const skrill = {
    ...{ payToEmail: 'merchant@example.com', merchantId: '100005', secretWord: 'harbour1', shopName: 'Harbour' },
    apiPassword: 'skrill123',
  }
  /** MD5 of skrill123, as in the guide of the query interface. */
  const login = { email: 'merchant@example.com', password: '3ec28026eb2b38452c84636d981000df' }

  it('skrill: requests a session, whose id opens the page', async () => {
    const session = '0123456789abcdef0123456789abcdef'
    const { provider, urlOf, formOf } = listen('skrill', skrill, [session])
    const { redirect } = await provider.start(order)
    assert.deepEqual(redirect, { kind: 'redirect', url: `https://pay.skrill.com/app/?sid=${session}` })
    assert.match(urlOf(0), /^POST https:\/\/pay\.skrill\.com\/?$/)
    const { prepare_only, pay_to_email, amount, currency, transaction_id, status_url } = formOf(0)
    assert.deepEqual(
      { prepare_only, pay_to_email, amount, currency, transaction_id, status_url },
      {
        ...{ prepare_only: '1', pay_to_email: 'merchant@example.com', amount: '100', currency: 'USD' },
        ...{ transaction_id: 'dep-1', status_url: 'https://p.example/notify' },
      },
    )
  })

  it('skrill: queries by our attempt id with a hashed password', async () => {
    const said = 'transaction_id=dep-1&mb_transaction_id=200042&status=2&amount=100&currency=USD&merchant_id=100005'
    const { provider, urlOf, formOf } = listen('skrill', skrill, [`200\t\tOK\n${said}\n`])
    const report = await provider.readStatus?.({ attempt: 'dep-1', reference: null, at })
    assert.deepEqual([report?.state, report?.amount, report?.currency], ['paid', '100', 'USD'])
    assert.equal(urlOf(0), 'POST https://www.skrill.com/app/query.pl')
    assert.deepEqual(formOf(0), { ...login, action: 'status_trn', trn_id: 'dep-1' })
  })

  it('skrill: sends money in two steps, the second with the session only', async () => {
    const answers = [
      '<?xml version="1.0" encoding="UTF-8"?><response><sid>5e281d1376d92ba789ca7f0583e045d4</sid></response>',
      '<?xml version="1.0" encoding="UTF-8"?><response><transaction><amount>50</amount><currency>USD</currency><id>497029</id><status>2</status><status_msg>processed</status_msg></transaction></response>',
    ]
    const { provider, urlOf, formOf } = listen('skrill', skrill, answers)
    assert.deepEqual(await provider.payOut?.(payout), { state: 'paid', reference: '497029' })
    assert.deepEqual([urlOf(0), urlOf(1)], Array(2).fill('POST https://www.skrill.com/app/pay.pl'))
    const { subject: _subject, note: _note, ...prepared } = formOf(0)
    const money = { amount: '50', currency: 'USD', bnf_email: 'mara@example.com', frn_trn_id: 'wd-1' }
    assert.deepEqual(prepared, { action: 'prepare', ...login, ...money })
    assert.deepEqual(formOf(1), { action: 'transfer', sid: '5e281d1376d92ba789ca7f0583e045d4' })
  })

  const neteller = { username: 'user', password: 'password-1', webhookKey: 'webhook-key-1', accountId: '1001' }
  const hub = 'https://api.paysafe.com/paymenthub/v1'

  it('neteller: creates a handle with HTTP Basic, in minor units', async () => {
    const links = [{ rel: 'redirect_payment', href: 'https://api.paysafe.com/alternatepayments/v1/redirect?x=1' }]
    const { provider, urlOf, jsonOf, headersOf } = listen('neteller', neteller, [{ id: 'h', links }])
    const { redirect } = await provider.start(order)
    assert.deepEqual(redirect, { kind: 'redirect', url: links[0]?.href })
    assert.equal(urlOf(0), `POST ${hub}/paymenthandles`)
    // user:password-1
    assert.equal(headersOf(0).authorization, 'Basic dXNlcjpwYXNzd29yZC0x')
    const { amount, currencyCode, merchantRefNum, paymentType, transactionType, accountId } = jsonOf(0)
    assert.deepEqual(
      { amount, currencyCode, merchantRefNum, paymentType, transactionType, accountId },
      {
        ...{ amount: 10000, currencyCode: 'USD', merchantRefNum: 'dep-1', paymentType: 'NETELLER' },
        ...{ transactionType: 'PAYMENT', accountId: '1001' },
      },
    )
  })

  it('neteller: a payout creates a handle for a credit, then the credit with its token', async () => {
    const credit = { id: 'c-1', merchantRefNum: 'wd-1', status: 'COMPLETED', amount: 5000, currencyCode: 'USD' }
    const { provider, urlOf, jsonOf } = listen('neteller', neteller, [{ paymentHandleToken: 'token-1' }, credit])
    assert.deepEqual(await provider.payOut?.(payout), { state: 'paid', reference: 'c-1' })
    assert.deepEqual([urlOf(0), urlOf(1)], [`POST ${hub}/paymenthandles`, `POST ${hub}/standalonecredits`])
    assert.deepEqual(
      [jsonOf(0).transactionType, jsonOf(0).neteller],
      ['STANDALONE_CREDIT', { consumerId: 'mara@example.com' }],
    )
    const money = { amount: 5000, currencyCode: 'USD', merchantRefNum: 'wd-1', paymentHandleToken: 'token-1' }
    assert.deepEqual(jsonOf(1), money)
  })

  it('nganluong: the express checkout sends version, function and hashed password as other clients do', async () => {
    const merchant = { merchantId: '45434', password: 'connection-1', receiverEmail: 'shop@example.com', bankCode: '' }
    const answer =
      '<?xml version="1.0" encoding="utf-8"?><result><error_code>00</error_code><token>43614-fc2a</token><description></description><checkout_url>https://www.nganluong.vn/checkout/43614-fc2a</checkout_url></result>'
    const { provider, urlOf, formOf } = listen('nganluong', merchant, [answer])
    const dong = { ...order, amount: '90000', currency: 'VND' }
    assert.deepEqual(await provider.start(dong), {
      redirect: { kind: 'redirect', url: 'https://www.nganluong.vn/checkout/43614-fc2a' },
      reference: '43614-fc2a',
    })
    assert.equal(urlOf(0), 'POST https://www.nganluong.vn/checkout.api.nganluong.post.php')
    const { function: name, version, merchant_id, merchant_password, total_amount, cur_code, order_code } = formOf(0)
    assert.deepEqual(
      [name, version, merchant_id, total_amount, cur_code, order_code],
      ['SetExpressCheckout', '3.1', '45434', '90000', 'vnd', 'dep-1'],
    )
    assert.equal(merchant_password, '0c5c52b99b164b318d408dcd55006804')
  })
})
