import { z } from 'zod'
import {
  defineProvider,
  type NotificationReading,
  type OrderToAsk,
  PaymentProblem,
  type RawNotification,
  type Reported,
} from '../contract.ts'
import { refused, textAnswer } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { type Answered, callSafecharge } from './client.ts'
import {
  callChecksum,
  callTime,
  isAmbiguous,
  isSigned,
  type Merchant,
  pageFields,
  payoutBody,
  payoutReport,
  payoutStateOf,
  readMessage,
  reportOf,
} from './translate.ts'

/** SafeCharge, today Nuvei: signed fields are posted from the member's browser to a page of theirs; nothing is called. */
export const safecharge = defineProvider({
  name: 'SafeCharge',
  pendingDays: 5,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'Of your Nuvei account.' }),
    siteId: textSetting({ label: 'Merchant site ID', help: 'Of the site that the secret belongs to.' }),
    secretKey: secretSetting({ label: 'Secret key', help: 'Of that site. Signs the page and proves notifications.' }),
    hash: choiceSetting({ label: 'Checksum', help: 'md5 for very old sites only.' }, ['sha256', 'md5']),
    urlForm: choiceSetting({ label: 'Addresses in the checksum', help: 'As the account is set up.' }, [
      'plain',
      'encoded',
    ]),
    pageUrl: addressSetting(
      { label: 'Payment page', help: 'https://ppp-test.safecharge.com/ppp/purchase.do for tests.' },
      'https://secure.safecharge.com/ppp/purchase.do',
    ),
    restUrl: addressSetting(
      { label: 'REST address', help: 'https://ppp-test.safecharge.com/ppp/api/v1 for tests.' },
      'https://secure.safecharge.com/ppp/api/v1',
    ),
    pageHosts: pageHostsSetting(''),
    acknowledgement: {
      label: 'Answer to notifications',
      help: 'The body of the answer.',
      usual: 'OK',
      schema: z.string().max(100),
    },
  },
  payout: { to: 'source', needs: [] },
  connect({ pageUrl, restUrl, pageHosts, acknowledgement, ...merchant }, http) {
    const details = async (attempt: string, at: Date): Promise<Answered | null> => {
      const { merchantId, siteId: merchantSiteId } = merchant
      const timeStamp = callTime(at)
      const checksum = callChecksum([merchantId, merchantSiteId, attempt, timeStamp], merchant)
      const body = { merchantId, merchantSiteId, clientUniqueId: attempt, timeStamp, checksum }
      const answer = await callSafecharge(http, `${restUrl}/getTransactionDetails.do`, body)
      const found = answer?.transactionDetails
      if (typeof found !== 'object' || found === null) return null
      return String((found as Answered).clientUniqueId) === attempt ? (found as Answered) : null
    }
    const ask = async ({ attempt, at }: OrderToAsk): Promise<Reported | null> => {
      const found = await details(attempt, at)
      return found && detailsOf(found, attempt)
    }
    return {
      pageOrigins: originsOf(pageUrl, pageHosts),
      async start(order) {
        return { handOff: { kind: 'form', action: pageUrl, fields: pageFields(order, merchant) }, reference: null }
      },
      readNotification: (raw) => read(raw, merchant, acknowledgement),
      readStatus: ask,
      async payOut(payout) {
        // What the member paid with: they keep it, and give us a number for it.
        const paid = payout.source && (await details(payout.source.attempt, payout.at))
        const option = String(paid?.userPaymentOptionId ?? '')
        if (option === '') throw new PaymentProblem('misconfigured', 'the deposit has no stored way to pay back')
        const answer = await callSafecharge(http, `${restUrl}/payout.do`, payoutBody(payout, option, merchant))
        if (!answer) throw new PaymentProblem('unknown', 'an answer about nothing')
        return payoutStateOf(answer)
      },
      async readPayout({ attempt, at }) {
        const found = await details(attempt, at)
        return found && payoutReport(found, attempt)
      },
      async test() {
        const { merchantId, siteId: merchantSiteId } = merchant
        const [clientRequestId, timeStamp] = [`connection-test-${Date.now()}`, callTime(new Date())]
        const checksum = callChecksum([merchantId, merchantSiteId, clientRequestId, timeStamp], merchant)
        const body = { merchantId, merchantSiteId, clientRequestId, timeStamp, checksum }
        await callSafecharge(http, `${restUrl}/getSessionToken.do`, body)
      },
    }
  },
})

/** Everything of an order that they were asked about by our own id. */
function detailsOf(details: Answered, attempt: string): Reported {
  const text = (name: string): string => String(details[name] ?? '')
  return reportOf({
    attempt,
    reference: text('pppTransactionId'),
    word: text('transactionStatus'),
    kind: text('transactionType'),
    amount: text('amount'),
    currency: text('currency'),
    reason: text('gwErrorReason'),
  })
}

function read(
  { method, query, body }: RawNotification,
  merchant: Merchant,
  acknowledgement: string,
): NotificationReading {
  const message = new URLSearchParams(method === 'GET' ? query : body.toString('utf8'))
  if (isAmbiguous(message) || !message.has('PPP_TransactionID')) return refused('unreadable')
  if (!message.has('advanceResponseChecksum')) return refused('unsigned')
  if (!isSigned(message, merchant)) return refused('wrong_signature')
  const isOurs = [
    [message.get('merchant_id'), merchant.merchantId],
    [message.get('merchant_site_id'), merchant.siteId],
  ].every(([said, ours]) => said === null || said === ours)
  if (!isOurs) return refused('another_merchant')
  return { isGenuine: true, reported: readMessage(message), answer: textAnswer(200, acknowledgement) }
}
