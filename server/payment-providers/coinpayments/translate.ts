import { isMore } from '@atrium/contract/money/money.ts'
import Big from 'big.js'
import type {
  Coin,
  CoinAddress,
  OrderToStart,
  PaymentFailure,
  PayoutState,
  PayoutToStart,
  Started,
} from '../contract.ts'
import { amountIn, cut, type Fields, isObject, type JsonObject, type StatusMap, stateIn, textIn } from '../messages.ts'
import type { ReportedState, StatusReport } from '../status-report.ts'

/** Maps their terms to ours and back; pure functions. */
/** They report errors as text only. Errors of keys and permissions are for staff to fix, not for the member. */
export function failureOf(sentence: string): PaymentFailure {
  if (/api key|hmac|permission|ip address|nonce/i.test(sentence)) return 'misconfigured'
  return /rate limit|too many|try again|maintenance|offline/i.test(sentence) ? 'unavailable' : 'declined'
}

const absent =
  /not found|not exist|doesn.?t exist|no such|could ?n.?t find|invalid (\w+ )?(tx|txn|id|transaction|withdrawal)/i

/**
 * For a query: only a text about the record itself means that they do not have it. Any other says nothing about the
 * money.
 */
export function failureOfQuery(sentence: string): PaymentFailure {
  const failure = failureOf(sentence)
  if (failure !== 'declined') return failure
  return absent.test(sentence) ? 'declined' : 'unknown'
}

export function transactionFields(order: OrderToStart): Record<string, string> {
  const { attempt, amount, currency, coin, payer, urls } = order
  return {
    amount,
    currency1: currency,
    currency2: coin ?? '',
    buyer_email: cut(payer.email, 128),
    buyer_name: cut(`${payer.firstName} ${payer.lastName}`.trim(), 128),
    item_name: cut(order.description, 128),
    item_number: payer.id,
    invoice: attempt,
    custom: attempt,
    ipn_url: urls.notify,
    success_url: urls.back,
    cancel_url: urls.cancelled,
  }
}

/** How PHP and JavaScript write a JSON number or text below a ten-thousandth: `5.0e-5`. */
const smallShape = /^\d(?:\.\d{1,7})?e-\d$/i

/** Their coins have eight decimals, as text or as a number; null for anything that is not an amount. */
export function coinAmount(value: unknown): string | null {
  const said = typeof value === 'number' && Number.isFinite(value) && value >= 0 ? String(value) : value
  if (typeof said !== 'string') return null
  const amount = amountIn(smallShape.test(said) ? new Big(said).toFixed() : said)
  return amount === null ? null : new Big(amount).toFixed(8)
}

/** Whether coins arrived. An amount that cannot be read may be coins, so only an absent one or zero says that none did. */
const isArrived = (said: unknown): boolean => /[1-9]/.test(textIn(said))

const addressShape = /^[\x21-\x7e]{8,200}$/
const tagShape = /^[\x21-\x7e]{1,100}$/

/** Null when the answer lacks something that the member needs in order to pay. */
export function startedOf(answer: unknown, coin: string): Started | null {
  if (!isObject(answer)) return null
  const amount = coinAmount(answer.amount)
  const [address, tag, page] = [textIn(answer.address), textIn(answer.dest_tag), textIn(answer.checkout_url)]
  const reference = textIn(answer.txn_id)
  if (amount === null || !isMore(amount, '0') || !addressShape.test(address) || reference === '') return null
  if (tag !== '' && !tagShape.test(tag)) return null
  const redirect: CoinAddress = { kind: 'address', address, tag: tag || null, coin, amount, page: page || null }
  const lifeSeconds = Number(textIn(answer.timeout))
  return { redirect, reference, ...(Number.isSafeInteger(lifeSeconds) && lifeSeconds > 0 && { lifeSeconds }) }
}

/** The coins that the merchant accepts and that are online. Their list contains fiat currencies too. */
export function coinsIn(answer: unknown): Coin[] {
  if (!isObject(answer)) return []
  const taken = Object.entries(answer).filter(([code, rate]) => /^[A-Za-z0-9.]{1,20}$/.test(code) && isTaken(rate))
  return taken
    .map(([code, rate]) => ({ code, name: cut(textIn((rate as JsonObject).name) || code, 60) }))
    .sort((left, right) => left.code.localeCompare(right.code))
}

function isTaken(rate: unknown): boolean {
  if (!isObject(rate)) return false
  const { capabilities } = rate
  const canBePaid = !Array.isArray(capabilities) || capabilities.includes('payments')
  // Absent where only accepted coins were asked for.
  const isAccepted = ['', '1'].includes(textIn(rate.accepted))
  return textIn(rate.is_fiat) === '0' && isAccepted && rate.status === 'online' && canBePaid
}

/**
 * Their numeric status: negative has ended, 100 and above is complete, and 2 is complete with a nightly payout still to
 * come. 1 means that the coins were seen, which is not yet paid.
 */
export function stateOf(word: string, hasReceived: boolean): ReportedState {
  if (!/^(0|-?[1-9]\d{0,3})$/.test(word)) return 'unclear'
  const status = Number(word)
  if (status === -2) return 'returned'
  // Ended although coins arrived: the provider arranges the return with the payer.
  if (status < 0) return hasReceived ? 'returned' : 'declined'
  if (status === 2 || status >= 100) return 'paid'
  return status === 0 && !hasReceived ? 'unpaid' : 'pending'
}

/** Describes one transaction with both its price and its coins. */
export function reportOfWebhookEvent(fields: Fields): StatusReport {
  const text = (name: string): string => fields.get(name) ?? ''
  const word = text('status')
  const received = coinAmount(text('received_amount')) ?? '0'
  return {
    // Other types contain the payer's input into a form of the merchant and name no order of ours.
    attempt: (text('ipn_type') === 'api' && text('custom')) || null,
    reference: text('txn_id') || null,
    state: stateOf(word, isArrived(text('received_amount'))),
    amount: amountIn(text('amount1')),
    currency: text('currency1') || null,
    coin: { code: text('currency2'), asked: coinAmount(text('amount2')), received },
    ...statusTexts(word, text('status_text')),
  }
}

/** The API's answer has coin amounts only, no price. */
export function reportOfAnswer(
  answer: unknown,
  { attempt, reference }: { attempt: string; reference: string },
): StatusReport | null {
  if (!isObject(answer)) return null
  const word = textIn(answer.status)
  const received = coinAmount(answer.receivedf) ?? '0'
  return {
    attempt,
    reference,
    state: stateOf(word, isArrived(answer.receivedf)),
    amount: null,
    currency: null,
    coin: { code: textIn(answer.coin), asked: coinAmount(answer.amountf), received },
    ...statusTexts(word, textIn(answer.status_text)),
  }
}

const statusTexts = (word: string, said: string) => ({
  reason: said === '' ? null : cut(said, 200),
  word: cut(said === '' ? word : `${word} ${said}`, 40),
})

export const isSameMerchant = (answer: unknown, merchantId: string): boolean =>
  isObject(answer) && textIn(answer.merchant_id) === merchantId

/**
 * Pays the given amount of the account's currency in a coin to an address, with our attempt as the note. The network
 * fee is added on top so that the member receives the agreed amount, and no confirmation mail is needed.
 */
export function withdrawalFields(payout: PayoutToStart): Record<string, string> {
  return {
    amount: payout.amount,
    currency: payout.coin ?? '',
    currency2: payout.currency,
    address: payout.account,
    ...(payout.tag !== null && { dest_tag: payout.tag }),
    ipn_url: payout.notify,
    auto_confirm: '1',
    add_tx_fee: '1',
    note: payout.attempt,
  }
}

const misconfiguration = /api key|hmac|permission|ip address|nonce|insufficient|not enough|balance/i
const final = /invalid|missing|not enabled|unknown currency|minimum|maximum|limit|too small|too large/i

/** Only an error text about the request itself is final; any other may follow a withdrawal that they accepted. */
export function failureOfWithdrawal(sentence: string): PaymentFailure {
  if (misconfiguration.test(sentence)) return 'misconfigured'
  return final.test(sentence) ? 'declined' : 'unknown'
}

const withdrawalStates: StatusMap = { '-1': 'cancelled', '0': 'pending', '1': 'pending', '2': 'paid' }

/** Null for an answer without a reference, because the withdrawal cannot be identified. */
export function startedWithdrawal(answer: unknown): PayoutState | null {
  if (!isObject(answer)) return null
  const [reference, amount] = [textIn(answer.id), coinAmount(answer.amount)]
  const state = stateIn(withdrawalStates, textIn(answer.status))
  if (reference === '' || amount === null || state === 'unclear') return null
  // The creation answer never proves payment; the status is queried.
  return { state: 'pending', reference, coinAmount: amount }
}

/** Their record of a withdrawal; our attempt is in their list but not in the answer about a single one. */
export function reportOfWithdrawal(answer: unknown, attempt: string, reference: string): StatusReport | null {
  if (!isObject(answer)) return null
  const word = textIn(answer.status)
  const sent = coinAmount(answer.amountf)
  if (sent === null) return null
  return {
    kind: 'payout',
    attempt,
    reference,
    state: stateIn(withdrawalStates, word),
    amount: null,
    currency: null,
    coin: { code: textIn(answer.coin), asked: null, received: sent },
    ...statusTexts(word, textIn(answer.status_text)),
  }
}

/** A hint to query a payout; the message has too few fields to be more, and names only their reference. */
export function reportOfWithdrawalWebhookEvent(fields: Fields): StatusReport {
  const word = fields.get('status') ?? ''
  return {
    kind: 'payout',
    attempt: null,
    reference: fields.get('id') || null,
    state: 'hint',
    amount: null,
    currency: null,
    ...statusTexts(word, fields.get('status_text') ?? ''),
  }
}
