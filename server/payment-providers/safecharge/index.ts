import { z } from 'zod'
import { defineProvider, type OrderToAsk, PaymentProblem, type RawWebhookEvent } from '../contract.ts'
import type { Coverage, SignatureReading } from '../coverage.ts'
import { digitsShape, formOf, isObject, refused, textAnswer } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { type Answered, callSafecharge } from './client.ts'
import { depositReport, detail, payoutReport } from './details.ts'
import {
  callChecksum,
  callTime,
  hasShape,
  isAmbiguous,
  isSigned,
  type Merchant,
  pageFields,
  payoutBody,
  payoutStateOf,
  readMessage,
} from './translate.ts'

/** SafeCharge, today Nuvei: the member's browser posts signed fields to their page, without a call from our server. */
export const safecharge = defineProvider({
  name: 'SafeCharge',
  payWith: 'card',
  pendingDays: 5,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'The number of your Nuvei account.' }),
    siteId: textSetting({ label: 'Merchant site ID', help: 'The site that the secret key belongs to.' }),
    secretKey: secretSetting({
      label: 'Secret key',
      help: 'The key of that site. Signs the payment page and verifies webhook events.',
    }),
    hash: choiceSetting({ label: 'Checksum', help: 'Choose md5 only for very old sites.' }, ['sha256', 'md5']),
    urlForm: choiceSetting({ label: 'Addresses in the checksum', help: 'As configured for your account.' }, [
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
      label: 'Response to webhook events',
      help: 'The body of the response.',
      usual: 'OK',
      schema: z.string().max(100),
    },
  },
  payout: { to: 'source', needs: [] },
  connect({ pageUrl, restUrl, pageHosts, acknowledgement, ...merchant }, http) {
    const call = async (subject: { transactionId: string } | { clientUniqueId: string }, at: Date) => {
      const { merchantId, siteId: merchantSiteId } = merchant
      const timeStamp = callTime(at)
      const checksum = callChecksum([merchantId, merchantSiteId, ...Object.values(subject), timeStamp], merchant)
      const body = { merchantId, merchantSiteId, ...subject, timeStamp, checksum }
      const answer = await callSafecharge(http, `${restUrl}/getTransactionDetails.do`, body)
      if (answer && !isObject(answer.transactionDetails))
        throw new PaymentProblem('unknown', 'an answer without details')
      return answer
    }
    /**
     * Queries their id first, as their own clients do; the answer must name our order, since a stranger may have
     * supplied the id.
     */
    const details = async ({ attempt, reference, hint, at }: OrderToAsk): Promise<Answered | null> => {
      for (const transactionId of new Set([hint, reference])) {
        if (!transactionId || !digitsShape.test(transactionId)) continue
        const found = await unknownIsNull(call({ transactionId }, at))
        if (found && detail(found, 'attempt') === attempt) return found
      }
      return call({ clientUniqueId: attempt }, at)
    }
    return {
      pageOrigins: originsOf(pageUrl, pageHosts),
      async start(order) {
        return { redirect: { kind: 'form', action: pageUrl, fields: pageFields(order, merchant) }, reference: null }
      },
      proves: { deposit: covered, payout: covered },
      readMessage: (raw) => read(raw, merchant, acknowledgement),
      async readStatus(order) {
        const found = await details(order)
        return found && depositReport(found, order.reference)
      },
      async payOut(payout) {
        // The member's stored payment option at the provider, which the deposit's record refers to.
        const paid = payout.source && (await details({ ...payout.source, at: payout.at }))
        const isTheirs = paid && detail(paid, 'attempt') === payout.source?.attempt
        const option = isTheirs ? detail(paid, 'wayToPay') : null
        if (option === null) throw new PaymentProblem('misconfigured', 'the deposit has no stored way to pay back')
        const answer = await callSafecharge(http, `${restUrl}/payout.do`, payoutBody(payout, option, merchant))
        if (!answer) throw new PaymentProblem('unknown', 'an answer about nothing')
        return payoutStateOf(answer)
      },
      async readPayout(payout) {
        const found = await details(payout)
        return found && payoutReport(found)
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

/**
 * Neither our attempt id nor the kind is signed: a genuine payment could be replayed for any order, and an
 * authorization presented as paid.
 */
const covered: Coverage = {
  order: 'unsigned',
  amount: 'signed',
  currency: 'signed',
  kind: 'unsigned',
  reference: 'signed',
}

/** When the id is unknown, the query by our attempt id decides. */
async function unknownIsNull(asked: Promise<Answered | null>): Promise<Answered | null> {
  try {
    return await asked
  } catch (problem) {
    if (problem instanceof PaymentProblem && problem.failure === 'unknown') return null
    throw problem
  }
}

function read({ method, query, body }: RawWebhookEvent, merchant: Merchant, acknowledgement: string): SignatureReading {
  const message = formOf(method === 'GET' ? query : body.toString('utf8'))
  if (isAmbiguous(message) || !message.has('PPP_TransactionID')) return refused('unreadable')
  if (!message.has('advanceResponseChecksum')) return refused('unsigned')
  if (!hasShape(message)) return refused('unreadable')
  if (!isSigned(message, merchant)) return refused('wrong_signature')
  const isOurs = [
    [message.get('merchant_id'), merchant.merchantId],
    [message.get('merchant_site_id'), merchant.siteId],
  ].every(([said, ours]) => said === null || said === ours)
  if (!isOurs) return refused('another_merchant')
  const hint = message.get('TransactionID') ?? ''
  return { signed: readMessage(message), answer: textAnswer(200, acknowledgement), ...(hint !== '' && { hint }) }
}
