import { z } from 'zod'
import { defineProvider, PaymentProblem, type PayoutToStart, type RawWebhookEvent } from '../contract.ts'
import { allSigned, type SignatureReading, unsignedCoverage } from '../coverage.ts'
import { readForm, refused } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import {
  addressSetting,
  choiceSetting,
  isFrom,
  optionalSetting,
  pageHostsSetting,
  secretSetting,
  sendersSetting,
  textSetting,
  trustedUpToSetting,
} from '../setting-kinds.ts'
import { banksSetting, codeOfBank } from './banks.ts'
import { type Keys, keysOf } from './cipher.ts'
import { getFund } from './client.ts'
import {
  acknowledgement,
  codes,
  commands,
  currency,
  type Display,
  formFields,
  hasShape,
  type Merchant,
  messageValue,
  openCallback,
  openPayoutWebhookEvent,
  payoutAcknowledgement,
  payoutReportOf,
  payoutStateOf,
  payoutXml,
  reportOf,
  sealedPayout,
  withinLimit,
} from './translate.ts'

const displays = Object.keys(commands) as [Display, ...Display[]]

/** SD System (SDPay): an encrypted order posted to their page, and an encrypted message back; yuan only. */
export const sdsystem = defineProvider({
  name: 'SD System',
  payWith: 'bank',
  pendingDays: 2,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'The pid that SD System sent you.' }),
    key1: secretSetting({ label: 'Key 1', help: 'Encrypts every message. Base64, as SD System sent it.' }),
    key2: secretSetting({
      label: 'Key 2',
      help: 'The initialization vector of the encryption. Base64, as SD System sent it.',
    }),
    md5Key: secretSetting({ label: 'MD5 key', help: 'Signs the content of every message. 32 characters.' }),
    payUrl: addressSetting(
      { label: 'Payment page', help: 'The address that the form is posted to, for the display below.' },
      '',
    ),
    display: choiceSetting({ label: 'Display', help: 'Each display has its own payment page.' }, displays),
    pageHosts: pageHostsSetting(''),
    senders: sendersSetting,
    believedUpTo: trustedUpToSetting,
    payoutUrl: optionalSetting(
      addressSetting(
        { label: 'Address for payouts', help: 'The address of the Customer service of SD System. Empty: no payouts.' },
        '',
      ),
    ),
    loginAccount: optionalSetting(textSetting({ label: 'Login account', help: 'For payouts, as SD System sent it.' })),
    payoutKey1: optionalSetting(secretSetting({ label: 'Key 1 for payouts', help: 'Base64, as SD System sent it.' })),
    payoutKey2: optionalSetting(secretSetting({ label: 'Key 2 for payouts', help: 'Base64, as SD System sent it.' })),
    // Stored without http://, which marks settings that are called: this namespace is never fetched.
    payoutNamespace: {
      label: 'Namespace for payouts',
      help: 'From the description of the service, without http:// and with the slash at the end.',
      usual: 'tempuri.org/',
      schema: z
        .string()
        .trim()
        .max(200)
        .regex(/^[\w.-]+(\/[\w.-]+)*\/$/, 'Enter a name such as tempuri.org/'),
    },
    banks: banksSetting,
  },
  payout: { to: 'bank_account', needs: ['account', 'holder', 'bankName'] },
  connect({ key1, key2, payUrl, pageHosts, banks, senders, believedUpTo, ...settings }, http) {
    const keys = keysOf(key1, key2)
    if (!keys) throw new PaymentProblem('misconfigured', 'key 1 or key 2 is not valid')
    const merchant = { ...settings, keys }
    const payouts = payoutsOf(settings)
    // Needed even with payouts disabled: earlier payouts still send messages.
    const payoutKeys = keysOf(settings.payoutKey1, settings.payoutKey2)
    return {
      pageOrigins: originsOf(payUrl, pageHosts),
      async start(order) {
        return { redirect: { kind: 'form', action: payUrl, fields: formFields(order, merchant) }, reference: null }
      },
      takesIn: (asked) => asked === currency,
      // The whole document is signed but contains no payment reference of theirs; a payout message is encrypted but
      // unsigned. Nothing can be queried: unreported or unsigned outcomes go to manual review against their list.
      proves: { deposit: { ...allSigned, reference: 'fixed' }, payout: unsignedCoverage },
      readMessage(raw) {
        const reading = read(raw, merchant, payoutKeys)
        if ('refused' in reading) return reading
        if (!isFrom(senders, raw.address)) return refused('another_sender')
        return { ...reading, signed: withinLimit(reading.signed, believedUpTo) }
      },
      async test() {
        const { status } = await http({ method: 'GET', url: payUrl })
        if (status >= 500) throw new PaymentProblem('unavailable', `the payment page answers with ${status}`)
      },
      ...(payouts && {
        async payOut(payout: PayoutToStart) {
          const code = codeOfBank(banks, payout.bankName)
          if (!code) throw new PaymentProblem('misconfigured', 'no code for the name of the bank')
          return payoutStateOf(await getFund(http, payouts, sealedPayout(payoutXml(payout, code), payouts.keys)))
        },
      }),
      paysOutIn: (asked) => asked === currency,
    }
  },
})

type PayoutSettings = Record<'payoutUrl' | 'loginAccount' | 'payoutKey1' | 'payoutKey2' | 'payoutNamespace', string>

/**
 * Null without payouts. An incomplete configuration is an error, because it would offer payouts that cannot be made.
 */
function payoutsOf({ payoutUrl, loginAccount, payoutKey1, payoutKey2, payoutNamespace }: PayoutSettings) {
  if (payoutUrl === '') return null
  const keys = keysOf(payoutKey1, payoutKey2)
  if (loginAccount === '' || !keys)
    throw new PaymentProblem('misconfigured', 'payouts need a login account and both of their keys')
  return { url: payoutUrl, namespace: `http://${payoutNamespace}`, loginAccount, keys }
}

function read(raw: RawWebhookEvent, merchant: Merchant, payoutKeys: Keys | null): SignatureReading {
  const message = raw.method === 'POST' ? readForm(raw.body.toString('utf8')) : null
  if (!message) return refused('unreadable')
  const sealed = message.get('HiddenField1')
  if (sealed === undefined) return readDeposit(message.get('res') ?? '', merchant)
  if (!payoutKeys) return refused('unreadable')
  const opened = openPayoutWebhookEvent(sealed, payoutKeys)
  if (!opened) return refused('wrong_signature')
  return { signed: payoutReportOf(opened), answer: payoutAcknowledgement }
}

function readDeposit(res: string, merchant: Merchant): SignatureReading {
  const { merchantId } = merchant
  // A message that cannot be decrypted has no ids to repeat in the answer.
  const no = acknowledgement({ merchantId, order: '', username: '' }, codes.wrongSignature)
  if (res === '') return refused('unsigned', no)
  const opened = openCallback(res, merchant)
  if (typeof opened === 'string') return refused(opened, no)
  const said = { merchantId: messageValue(opened, 'merchantid'), order: messageValue(opened, 'order') }
  const about = { ...said, username: messageValue(opened, 'username') }
  if (!hasShape(opened)) return refused('unreadable', no)
  if (said.merchantId !== merchantId) return refused('another_merchant', acknowledgement(about, codes.wrongMerchant))
  return { signed: reportOf(opened), answer: acknowledgement(about, codes.received) }
}
