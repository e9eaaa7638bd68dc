import { z } from 'zod'
import { defineProvider, type OrderToAsk, type RawWebhookEvent } from '../contract.ts'
import { type SignatureReading, unsignedCoverage } from '../coverage.ts'
import { readForm, refused, textAnswer } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { checkOrder, createOrder } from './client.ts'
import { checkSum, currency, orderFields, reportOf } from './translate.ts'

const methods = ['NL', 'ATM_ONLINE', 'IB_ONLINE', 'QRCODE', 'QRCODE247', 'BANK_TRANSFER_ONLINE', 'VISA'] as const

/** Ngân Lượng, checkout 3.1: none of their messages is signed, so each one only triggers a query. */
export const nganluong = defineProvider({
  name: 'NganLuong',
  payWith: 'wallet',
  pendingDays: 2,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'The number of your merchant site (merchant_id).' }),
    password: secretSetting({
      label: 'Connection password',
      help: 'The password of that site (merchant_password), not hashed. Authenticates our queries; NganLuong signs nothing that it sends.',
    }),
    receiverEmail: textSetting({
      label: 'Receiver email',
      help: 'The email of the account that receives payments. A payment to another account is not accepted.',
    }),
    method: choiceSetting(
      {
        label: 'Payment method',
        help: 'With NL, members choose on the payment page; all others need a bank code below.',
      },
      methods,
    ),
    bankCode: {
      label: 'Bank code',
      help: 'For every method except NL: a code from the list of banks of NganLuong, or VISA, MASTER or JCB. Empty for NL.',
      schema: z.string().trim().max(20),
    },
    createUrl: addressSetting(
      {
        label: 'Address for orders',
        help: 'https://sandbox.nganluong.vn/nl35/checkout.api.nganluong.post.php for tests.',
      },
      'https://www.nganluong.vn/checkout.api.nganluong.post.php',
    ),
    checkUrl: addressSetting(
      { label: 'Address for queries', help: 'https://sandbox.nganluong.vn/nl35/service/order/check for tests.' },
      'https://www.nganluong.vn/service/order/check',
    ),
    pageHosts: pageHostsSetting('*.nganluong.vn'),
  },
  connect({ createUrl, checkUrl, pageHosts, ...merchant }, http) {
    const { merchantId, password, receiverEmail } = merchant
    const check = (token: string) =>
      checkOrder(http, checkUrl, [
        ['merchant_id', merchantId],
        ['token', token],
        ['checksum', checkSum(token, password)],
      ])
    return {
      pageOrigins: originsOf(createUrl, pageHosts),
      async start(order) {
        const { token, page } = await createOrder(http, createUrl, orderFields(order, merchant))
        return { redirect: { kind: 'redirect', url: page }, reference: token }
      },
      takesIn: (asked) => asked === currency,
      proves: { deposit: unsignedCoverage },
      readMessage: read,
      // Queried by the token they returned for the order, never by one from a message.
      async readStatus({ attempt, reference }: OrderToAsk) {
        if (reference === null) return null
        const { code, data } = await check(reference)
        if (code === tokenUnknown) return null
        return reportOf(code, data, { attempt, token: reference, receiverEmail })
      },
      async test() {
        await check('connection-test')
      },
    }
  },
})

const tokenUnknown = '29'

/** GET or POST, because their guide does not specify it. Only the order id is read from the message. */
function read({ method, query, body }: RawWebhookEvent): SignatureReading {
  const message = readForm(method === 'GET' ? query : body.toString('utf8'))
  const attempt = message?.get('order_code') ?? ''
  if (attempt === '') return refused('unreadable')
  return {
    ...refused('unsigned', textAnswer(200, 'OK')),
    unverifiedCallback: { kind: 'deposit', attempt, reference: null },
  }
}
