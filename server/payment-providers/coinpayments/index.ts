import { z } from 'zod'
import { defineProvider, type OrderToAsk, PaymentProblem, type PayoutToAsk, type RawWebhookEvent } from '../contract.ts'
import { allSigned, type SignatureReading } from '../coverage.ts'
import { isObject, readForm, refused, textAnswer, textIn } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, choiceSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import { isSameSignature } from '../signing.ts'
import type { StatusReport } from '../status-report.ts'
import { command, hmacOf } from './client.ts'
import {
  coinsIn,
  failureOfQuery,
  failureOfWithdrawal,
  isSameMerchant,
  reportOfAnswer,
  reportOfWebhookEvent,
  reportOfWithdrawal,
  reportOfWithdrawalWebhookEvent,
  startedOf,
  startedWithdrawal,
  transactionFields,
  withdrawalFields,
} from './translate.ts'

/** CoinPayments (www.coinpayments.net): the member sends coins to an address shown here or on their page. */
export const coinpayments = defineProvider({
  name: 'CoinPayments',
  payWith: 'coins',
  takesCoins: true,
  pendingDays: 2,
  fields: {
    merchantId: textSetting({ label: 'Merchant ID', help: 'At CoinPayments: Account settings, Basic settings.' }),
    publicKey: textSetting({
      label: 'API public key',
      help: 'Permissions: create_transaction, rates, get_tx_info and get_basic_info; for payouts also create_withdrawal, get_withdrawal_info and get_withdrawal_history.',
    }),
    privateKey: secretSetting({ label: 'API private key', help: 'Signs every call.' }),
    ipnSecret: secretSetting({
      label: 'IPN secret',
      help: 'Verifies webhook events. Enter the same secret at CoinPayments: Account settings, Merchant settings.',
    }),
    baseUrl: addressSetting(
      { label: 'API address', help: 'The same for all merchants.' },
      'https://www.coinpayments.net',
    ),
    testCoin: choiceSetting(
      {
        label: 'Test coin (LTCT)',
        help: 'Anybody can get it for free. Accept it only where no deposit is real money.',
      },
      ['refused', 'accepted'],
    ),
    pageHosts: pageHostsSetting('*.coinpayments.net'),
    acknowledgement: {
      label: 'Response to webhook events',
      help: 'CoinPayments accepts any text.',
      usual: 'IPN OK',
      schema: z.string().max(100),
    },
  },
  payout: { to: 'crypto', needs: ['account'], account: /^[\x21-\x7e]{8,200}$/ },
  connect({ merchantId, publicKey, privateKey, ipnSecret, baseUrl, pageHosts, acknowledgement, testCoin }, http) {
    const isTaken = (coin: string): boolean => coin !== worthless || testCoin === 'accepted'
    const keys = { baseUrl, publicKey, privateKey }
    const ask = (cmd: string, fields?: Record<string, string>) =>
      command(http, keys, cmd, { whatFailed: failureOfQuery, ...(fields && { fields }) })
    return {
      pageOrigins: originsOf(baseUrl, pageHosts),
      async start(order) {
        if (!isTaken(order.coin ?? '')) throw new PaymentProblem('declined', 'the test coin is not accepted')
        const answer = await command(http, keys, 'create_transaction', { fields: transactionFields(order) })
        const started = startedOf(answer, order.coin ?? '')
        if (!started) throw new PaymentProblem('unknown', 'no address in the answer')
        return started
      },
      // The whole body is signed. A payout message carries their reference but not our attempt, so their API is
      // queried.
      proves: { deposit: allSigned, payout: { ...allSigned, order: 'unsigned' } },
      readMessage: (raw) => read(raw, { merchantId, ipnSecret, acknowledgement }),
      /** A lost answer leaves a transaction without a reference here: it expires, or a webhook event supplies it. */
      async readStatus({ attempt, reference }: OrderToAsk): Promise<StatusReport | null> {
        if (reference === null) return null
        const answer = await notFoundIsNull(ask('get_tx_info', { txid: reference }))
        return answer === null ? null : reportOrThrow(answer, { attempt, reference })
      },
      /** The API has no idempotency key: an unknown outcome is looked up in their list by our note. */
      async payOut(payout) {
        const asking = { fields: withdrawalFields(payout), whatFailed: failureOfWithdrawal }
        const started = startedWithdrawal(await command(http, keys, 'create_withdrawal', asking))
        if (!started) throw new PaymentProblem('unknown', 'no number in the answer')
        return started
      },
      readPayout: (payout) => findWithdrawal(ask, payout),
      async test() {
        const isOurs = isSameMerchant(await ask('get_basic_info'), merchantId)
        if (!isOurs) throw new PaymentProblem('misconfigured', 'the keys belong to another merchant')
      },
      // Every coin of theirs would be a large answer: these are the accepted ones.
      readCoins: async () => coinsIn(await ask('rates', { accepted: '2' })).filter(({ code }) => isTaken(code)),
    }
  },
})

/** Litecoin's test network, on the live platform: there is no sandbox. */
const worthless = 'LTCT'

/** Their page size, and more pages than a brokerage fills while one payout is open. */
const pageSize = 100
const pagesMax = 20
/** Allows for their clock being behind ours. */
const clockMs = 60 * 60_000

type Ask = (cmd: string, fields?: Record<string, string>) => Promise<unknown>

async function findWithdrawal(ask: Ask, { attempt, reference, sentAt, at }: PayoutToAsk): Promise<StatusReport | null> {
  if (reference !== null) {
    const answer = await notFoundIsNull(ask('get_withdrawal_info', { id: reference }))
    return answer === null ? null : withdrawalOrThrow(answer, attempt, reference)
  }
  const newer = String(Math.floor(((sentAt ?? at).getTime() - clockMs) / 1000))
  for (let page = 0; page < pagesMax; page++) {
    const start = String(page * pageSize)
    const listed = await ask('get_withdrawal_history', { limit: String(pageSize), start, newer })
    if (!Array.isArray(listed)) throw new PaymentProblem('unknown', 'no list of withdrawals')
    const ours = listed.filter(isObject).find(({ note }) => note === attempt)
    if (ours) return withdrawalOrThrow(ours, attempt, textIn(ours.id))
    if (listed.length < pageSize) return null
  }
  throw new PaymentProblem('unknown', 'a list of withdrawals without an end')
}

function withdrawalOrThrow(answer: unknown, attempt: string, reference: string): StatusReport {
  const report = reportOfWithdrawal(answer, attempt, reference)
  if (!report || reference === '') throw new PaymentProblem('unknown', 'an answer without a withdrawal')
  return report
}

async function notFoundIsNull(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked
  } catch (problem) {
    if (problem instanceof PaymentProblem && problem.failure === 'declined') return null
    throw problem
  }
}

function reportOrThrow(answer: unknown, order: { attempt: string; reference: string }): StatusReport {
  const report = reportOfAnswer(answer, order)
  if (!report) throw new PaymentProblem('unknown', 'an answer without a transaction')
  return report
}

type Reader = { merchantId: string; ipnSecret: string; acknowledgement: string }

function read({ method, headers, body }: RawWebhookEvent, reader: Reader): SignatureReading {
  if (method !== 'POST' || body.length === 0) return refused('unreadable')
  if (headers.hmac === undefined || headers.hmac === '') return refused('unsigned')
  // Hashes the received bytes: re-serializing the body would change them.
  if (!isSameSignature(headers.hmac.toLowerCase(), hmacOf(body, reader.ipnSecret))) return refused('wrong_signature')
  const fields = readForm(body.toString('utf8'))
  if (!fields) return refused('unreadable')
  if (fields.get('ipn_mode') !== 'hmac') return refused('unsigned')
  if (fields.get('merchant') !== reader.merchantId) return refused('another_merchant')
  const isPayout = fields.get('ipn_type') === 'withdrawal'
  const reported = isPayout ? reportOfWithdrawalWebhookEvent(fields) : reportOfWebhookEvent(fields)
  return { signed: reported, answer: textAnswer(200, reader.acknowledgement) }
}
