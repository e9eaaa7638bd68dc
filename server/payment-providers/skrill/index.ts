import { z } from 'zod'
import { defineProvider, type RawWebhookEvent } from '../contract.ts'
import { allSigned, type SignatureReading } from '../coverage.ts'
import { readForm, refused, textAnswer } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { askStatus, openPage, sendMoney } from './client.ts'
import {
  hasShape,
  isForMerchant,
  isSigned,
  type Merchant,
  payoutReportOf,
  prepareFields,
  reportOf,
  sendFields,
  sentState,
} from './translate.ts'

/** A wallet is identified by its email address. */
const emailShape = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/

/** Skrill Quick Checkout: a call creates a session, and the member pays on its page. */
export const skrill = defineProvider({
  name: 'Skrill',
  payWith: 'wallet',
  pendingDays: 7,
  fields: {
    payToEmail: textSetting({ label: 'Merchant email', help: 'The email of your Skrill merchant account.' }),
    merchantId: textSetting({ label: 'Merchant ID', help: 'The number of that account, at Skrill: Account, Profile.' }),
    secretWord: {
      label: 'Secret word',
      help: 'At Skrill: Settings, Developer settings. Lower-case letters and digits, at most ten. Verifies webhook events. While you change it, enter the new word, a space and the old word: both are accepted.',
      isSecret: true,
      // Their secret words have at most ten characters, those of test accounts six.
      schema: z
        .string()
        .max(100)
        .transform((text) => text.split(/\s+/).filter((word) => word !== ''))
        .refine((words) => [1, 2].includes(words.length), 'Enter one word, or two with a space between them.')
        .refine((words) => words.every((word) => word.length >= 6), 'A secret word has at least 6 characters.'),
    },
    apiPassword: secretSetting({
      label: 'API and MQI password',
      help: 'At Skrill: Settings, Developer settings. Not the password of the account. Allow the IP address of this server there.',
    }),
    signature: choiceSetting(
      {
        label: 'Signature of webhook events',
        help: 'Skrill must enable sha2sig first; md5sig is always sent.',
      },
      ['md5sig', 'sha2sig'],
    ),
    shopName: {
      label: 'Name on the payment page',
      help: 'The name that members see there, at most 30 characters. Empty: the name that Skrill has.',
      schema: z.string().trim().max(30, 'At most 30 characters.'),
    },
    payUrl: addressSetting(
      { label: 'Payment address', help: 'The same address for tests, which need a test merchant account.' },
      'https://pay.skrill.com',
    ),
    queryUrl: addressSetting(
      { label: 'Query address', help: 'The address of the merchant query interface (MQI).' },
      'https://www.skrill.com/app/query.pl',
    ),
    sendUrl: addressSetting(
      { label: 'Payout address', help: 'The address for sending money, which Skrill enables for your account.' },
      'https://www.skrill.com/app/pay.pl',
    ),
    pageHosts: pageHostsSetting(''),
  },
  payout: { to: 'other', needs: ['account'], account: emailShape },
  connect({ payUrl, queryUrl, sendUrl, pageHosts, apiPassword, secretWord: secretWords, ...account }, http) {
    const merchant = { ...account, secretWords }
    const login = { queryUrl, payToEmail: merchant.payToEmail, apiPassword }
    return {
      pageOrigins: originsOf(payUrl, pageHosts),
      async start(order) {
        const url = await openPage(http, payUrl, prepareFields(order, merchant))
        return { redirect: { kind: 'redirect', url }, reference: null }
      },
      // Their payment id is unsigned, and the signed amount is the one in the merchant account's currency, so the
      // queried answer counts. Our attempt id tells a deposit from a payout.
      proves: { deposit: { ...allSigned, reference: 'unsigned' } },
      readMessage: (raw) => read(raw, merchant),
      async readStatus({ attempt }) {
        const answer = await askStatus(http, login, attempt)
        return answer && reportOf(answer, 'answer')
      },
      async payOut(payout) {
        const login = { sendUrl, payToEmail: merchant.payToEmail, apiPassword }
        return sentState(await sendMoney(http, login, sendFields(payout)), payout)
      },
      async readPayout({ attempt }) {
        const answer = await askStatus(http, login, attempt)
        return answer && payoutReportOf(answer)
      },
      async test() {
        await askStatus(http, login, `connection-test-${Date.now()}`)
      },
    }
  },
})

function read({ method, body }: RawWebhookEvent, merchant: Merchant): SignatureReading {
  const message = method === 'POST' ? readForm(body.toString('utf8')) : null
  if (!message?.has('mb_transaction_id')) return refused('unreadable')
  if (!message.has(merchant.signature)) return refused('unsigned')
  if (!hasShape(message)) return refused('unreadable')
  if (!isSigned(message, merchant)) return refused('wrong_signature')
  if (!isForMerchant(message, merchant)) return refused('another_merchant')
  return { signed: reportOf(message, 'notification'), answer: textAnswer(200, 'OK') }
}
