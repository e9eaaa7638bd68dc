import { z } from 'zod'
import { defineProvider, PaymentProblem, type RawWebhookEvent } from '../contract.ts'
import { allSigned, type SignatureReading } from '../coverage.ts'
import { type Fields, readForm, readObject, refused, textAnswer, textIn } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { askAboutPayout, sendPayout } from './client.ts'
import {
  fieldNames,
  formFields,
  hasPayoutShape,
  hasShape,
  isSigned,
  isSignedPayout,
  payoutBody,
  payoutHint,
  payoutQuery,
  payoutReport,
  payoutStateOf,
  reportOf,
} from './translate.ts'

/** Required: without them the page cannot identify the order, or we cannot receive its outcome. */
const needed = ['mid', 'order_id', 'order_amount', 'order_time', 'notify_url'] as const

const fieldOrder = {
  label: 'Order of the fields',
  help: 'The order in which fields are posted and signed, as listed in your contract. Empty fields are left out.',
  isLong: true,
  usual: fieldNames.join('\n'),
  schema: z
    .string()
    .max(1_000)
    .transform((text) => text.split(/[\s,]+/).filter((name) => name !== ''))
    .pipe(z.array(z.enum(fieldNames, `Names are: ${fieldNames.join(', ')}.`)))
    .refine((names) => new Set(names).size === names.length, 'Enter each name once.')
    .refine((names) => needed.every((name) => names.includes(name)), `Name at least ${needed.join(', ')}.`),
} as const

/** RPN Pay: signed fields posted to a page that the portal frames; yuan only. */
export const rpnpay = defineProvider({
  name: 'RPN Pay',
  payWith: 'bank',
  pendingDays: 2,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'The number of your merchant account (mid).' }),
    secretKey: secretSetting({
      label: 'Key',
      help: 'Signs the form, payouts and queries, and verifies webhook events. It never leaves the server.',
    }),
    payUrl: addressSetting(
      { label: 'Payment page', help: 'The address that the form is posted to, from your contract.' },
      '',
    ),
    display: choiceSetting(
      {
        label: 'Display',
        help: 'In a frame of the portal, or in place of the portal if the payment page refuses frames.',
      },
      ['in the portal', 'on a page of theirs'],
    ),
    version: choiceSetting(
      { label: 'Version', help: '1.1 also sends the name and number of the member, but no return address.' },
      ['1.0', '1.1'],
    ),
    declinedResults: {
      label: 'Results that mean declined',
      help: 'Values of pay_result, from your contract. 1 is pending and 3 is paid; any other value goes to manual review.',
      usual: '2, 4',
      schema: z
        .string()
        .max(200)
        .transform((text) => text.split(/[\s,]+/).filter((each) => each !== ''))
        .refine((each) => each.every((word) => /^\d{1,3}$/.test(word) && word !== '1' && word !== '3'), {
          error: 'Enter numbers other than 1 and 3.',
        }),
    },
    bankId: {
      label: 'Bank',
      help: 'A number from the list of banks of RPN Pay (1 is ICBC), if members should not choose. Usually empty.',
      schema: z.string().trim().regex(/^\d*$/, 'Enter digits.').max(5),
    },
    fieldOrder,
    payoutUrl: addressSetting(
      { label: 'Address for payouts', help: 'From your contract.' },
      'https://withdrawal-api.rpnpay.com/payout.php',
    ),
    queryUrl: {
      label: 'Address for payout queries',
      help: 'From your contract, including the parameter ?r=.',
      usual: 'https://query.rpnpay.com/query.php?r=payment/payout',
      schema: z
        .string()
        .trim()
        .max(300)
        .regex(/^https?:\/\/[^\s#]+$/, 'Enter an address that begins with https://')
        .refine((text) => URL.canParse(text), 'Enter an address that begins with https://'),
    },
    acknowledgement: {
      label: 'Response to webhook events',
      help: 'The body that RPN Pay expects after a deposit. After a payout, ok is sent.',
      usual: '[Success]',
      schema: z.string().max(100),
    },
    pageHosts: pageHostsSetting(''),
  },
  payout: { to: 'bank_account', needs: ['account', 'holder', 'bankName'] },
  connect({ payUrl, payoutUrl, queryUrl, pageHosts, acknowledgement, declinedResults, display, ...merchant }, http) {
    const { merchantId, secretKey } = merchant
    const pageOrigins = originsOf(payUrl, pageHosts)
    const isFramed = display === 'in the portal'
    const ask = async (attempt: string) =>
      payoutReport(await askAboutPayout(http, queryUrl, payoutQuery(attempt, merchantId, secretKey)))
    return {
      pageOrigins,
      ...(isFramed && { frameOrigins: pageOrigins }),
      async start(order) {
        const fields = formFields(order, merchant)
        return { redirect: { kind: 'form', action: payUrl, fields, ...(isFramed && { isFramed }) }, reference: null }
      },
      takesIn: (currency) => currency === 'CNY',
      // Names and separators between the values make the signed text unambiguous, but a payout's signature does not
      // cover our attempt id. Deposits cannot be queried: one without a webhook event is left to staff and the
      // provider's list.
      proves: {
        deposit: { ...allSigned, currency: 'fixed', kind: 'fixed' },
        payout: { ...allSigned, order: 'unsigned', currency: 'fixed', kind: 'fixed' },
      },
      readMessage: (raw) => read(raw, { secretKey, acknowledgement, declinedResults }),
      async test() {
        await ask(`connection-test-${Date.now()}`)
      },
      async payOut(payout) {
        if (payout.currency !== 'CNY') throw new PaymentProblem('declined', 'yuan only')
        return payoutStateOf(
          await sendPayout(http, payoutUrl, [['Withdrawal', payoutBody(payout, merchantId, secretKey)]]),
        )
      },
      readPayout: ({ attempt }) => ask(attempt),
      paysOutIn: (currency) => currency === 'CNY',
    }
  },
})

type Reader = { secretKey: string; acknowledgement: string; declinedResults: readonly string[] }

/** Deposits arrive as a form, payouts as a form or JSON; their field names tell them apart. */
function read({ method, body }: RawWebhookEvent, reader: Reader): SignatureReading {
  const { secretKey, acknowledgement, declinedResults } = reader
  const message = method === 'POST' ? fieldsOf(body.toString('utf8')) : null
  if (!message) return refused('unreadable')
  if (message.has('OrderSno')) {
    if (!message.get('Sign')) return refused('unsigned')
    if (!hasPayoutShape(message)) return refused('unreadable')
    if (!isSignedPayout(message, secretKey)) return refused('wrong_signature')
    return { signed: payoutHint(message), answer: textAnswer(200, 'ok') }
  }
  if (!message.get('order_id')) return refused('unreadable')
  if (!message.get('signature')) return refused('unsigned')
  if (!hasShape(message)) return refused('unreadable')
  if (!isSigned(message, secretKey)) return refused('wrong_signature')
  return { signed: reportOf(message, declinedResults), answer: textAnswer(200, acknowledgement) }
}

function fieldsOf(text: string): Fields | null {
  if (!text.trimStart().startsWith('{')) return readForm(text)
  const message = readObject(text)
  return message && new Map(Object.entries(message).map(([name, value]) => [name, textIn(value)]))
}
