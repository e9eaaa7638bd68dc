import { randomBytes } from 'node:crypto'
import { type Decimal, isMore } from '@atrium/contract/money/money.ts'
import { chinaTime } from '../china-time.ts'
import { type OrderToStart, PaymentProblem, type PayoutState, type PayoutToStart } from '../contract.ts'
import {
  amountIn,
  amountShape,
  cut,
  nameShape,
  type StatusMap,
  stateIn,
  textAnswer,
  withoutSpaces,
} from '../messages.ts'
import { hashOfParts, isSameSignature } from '../signing.ts'
import type { StatusReport } from '../status-report.ts'
import { readXml, type Texts, xmlText } from '../xml.ts'
import { type Keys, open, seal } from './cipher.ts'

/** Maps their terms to ours and back; pure functions except for the random padding of each message. */
export const currency = 'CNY'

/** Their command code for each display of the page. */
export const commands = {
  'on a computer': '6006',
  'on a phone': '6010',
  'on a phone, with their plugin': '6009',
} as const
export type Display = keyof typeof commands

export type Merchant = { merchantId: string; md5Key: string; keys: Keys; display: Display }

const noise = (): string => randomBytes(16).toString('hex')
const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`
const signature = (xml: string, md5Key: string): string => hashOfParts([xml, md5Key], 'md5')

export const sealed = (xml: string, { md5Key, keys }: Merchant, end = noise()): string =>
  seal(`${xml}${signature(xml, md5Key)}${end}`, keys)

export function orderXml(order: OrderToStart, { merchantId, display }: Merchant): string {
  if (order.currency !== currency || !/^\d+\.\d\d$/.test(order.amount))
    throw new PaymentProblem('declined', 'yuan only')
  const info = [
    element('order', order.attempt),
    element('username', order.payer.id),
    element('money', order.amount),
    element('unit', '1'),
    element('time', chinaTime(order.at)),
    element('remark', order.description),
    element('backurl', order.urls.notify),
    element('backurlbrowser', order.urls.back),
  ].join('')
  const head = [element('cmd', commands[display]), element('merchantid', merchantId), element('language', 'zh-cn')]
  return `<?xml version="1.0" encoding="utf-8" ?><message>${head.join('')}<userinfo>${info}</userinfo></message>`
}

export function formFields(order: OrderToStart, merchant: Merchant): readonly { name: string; value: string }[] {
  return [
    { name: 'pid', value: merchant.merchantId },
    { name: 'cmd', value: commands[merchant.display] },
    { name: 'des', value: sealed(orderXml(order, merchant), merchant) },
  ]
}

/** Decrypts document, signature and padding; returns their callback only if it is signed and complete. */
export function openCallback(res: string, { keys, md5Key }: Merchant): Texts | 'wrong_signature' | 'unreadable' {
  // A proxy that decodes twice turns plus signs into blanks.
  const text = open(res.replaceAll(' ', '+'), keys)
  if (text === null || !/[0-9a-f]{64}$/i.test(text)) return 'wrong_signature'
  const [xml, given] = [text.slice(0, -64), text.slice(-64, -32).toLowerCase()]
  if (!isSameSignature(given, signature(xml, md5Key))) return 'wrong_signature'
  const texts = readXml(xml)
  return texts && texts.get('message/cmd') === '6007' ? texts : 'unreadable'
}

export const messageValue = (texts: Texts, name: string): string => texts.get(`message/${name}`) ?? ''

const webhookEventShapes: readonly (readonly [string, RegExp])[] = [
  ['order', nameShape],
  ['money', amountShape],
  ['unit', /^\d{1,2}$/],
  ['result', /^[\w-]{1,20}$/],
]
export const hasShape = (texts: Texts): boolean =>
  webhookEventShapes.every(([name, shape]) => shape.test(messageValue(texts, name)))

const timeShape = /^[\d :/-]{8,30}$/

/** 0 and 3 mean that something was invalid and say nothing about the money: staff check their list. */
const depositStates: StatusMap = { '1': 'paid', '2': 'declined' }
const units: Readonly<Record<string, string>> = { '1': 'CNY', '2': 'USD' }

export function reportOf(texts: Texts): StatusReport {
  const word = messageValue(texts, 'result')
  return {
    attempt: messageValue(texts, 'order') || null,
    // They send no payment reference, only the time of the payment.
    reference: null,
    ...(timeShape.test(messageValue(texts, 'time')) && { paidAt: messageValue(texts, 'time') }),
    state: stateIn(depositStates, word),
    amount: amountIn(messageValue(texts, 'money')),
    currency: units[messageValue(texts, 'unit')] ?? null,
    reason: null,
    word: cut(word, 40),
  }
}

export const codes = { received: '100', wrongMerchant: '101', wrongSignature: '103' } as const

/** The required answer format, whatever the verdict; without it they resend the message. */
export function acknowledgement(
  said: { merchantId: string; order: string; username: string },
  code: (typeof codes)[keyof typeof codes],
) {
  const { merchantId, order, username } = said
  const about = [
    `<cmd>60071</cmd><merchantid>${xmlText(merchantId)}</merchantid>`,
    `<order>${xmlText(order)}</order><username>${xmlText(username)}</username><result>${code}</result>`,
  ].join('')
  const body = `<?xml version="1.0" encoding="utf-8"?><message>${about}</message>`
  return { ...textAnswer(code === codes.received ? 200 : 401, body), contentType: 'text/xml; charset=utf-8' }
}

/** The root element's spelling is theirs. */
export function payoutXml(payout: PayoutToStart, bankCode: string): string {
  if (payout.currency !== currency || !/^\d+\.\d\d$/.test(payout.amount))
    throw new PaymentProblem('declined', 'yuan only')
  const content = [
    element('Id', '0'),
    element('IntoAccount', withoutSpaces(payout.account)),
    element('IntoName', payout.holder),
    element('IntoBank1', bankCode),
    element('IntoBank2', ''),
    element('IntoAmount', payout.amount),
    element('SerialNumber', payout.attempt),
  ].join('')
  return `<TransferInfomation>${content}</TransferInfomation>`
}

/** Encrypted and unsigned, with the padding after the encrypted part, unlike a deposit. */
export const sealedPayout = (xml: string, keys: Keys, end = noise()): string => `${seal(xml, keys)}${end}`

/** Refused before acceptance: staff fix the cause and send again. */
const mendable: Readonly<Record<string, string>> = {
  '-12': 'a required field is missing (-12)',
  '-13': 'the branch of the bank is missing (-13)',
  '-14': 'the bank code is wrong (-14)',
  '-16': 'our IP address is not on their allow list (-16)',
}

/**
 * A positive number is their id of an accepted payout. A code for a duplicate says nothing about the outcome, because
 * an earlier call may have been accepted.
 */
export function payoutStateOf(number: string): PayoutState {
  if (/^[1-9]\d*$/.test(number)) return { state: 'pending', reference: number }
  if (number === '-11') throw new PaymentProblem('declined', 'the amount is too low (-11)')
  const problem = mendable[number]
  throw problem ? new PaymentProblem('misconfigured', problem) : new PaymentProblem('unknown', `code ${number}`)
}

/** The encryption is the only proof: any other document was encrypted with other keys. */
export function openPayoutWebhookEvent(text: string, keys: Keys): Texts | null {
  const xml = open(text.replaceAll(' ', '+').slice(0, -32), keys)
  const texts = xml === null ? null : readXml(xml)
  const said = (name: string): string => texts?.get(`TransferInfomation/${name}`) ?? ''
  // Our own payout order is encrypted alike; without their state it is not their message.
  return nameShape.test(said('SerialNumber')) && /^[\w-]{1,20}$/.test(said('RecordsState')) ? texts : null
}

const payoutStates: StatusMap = { '0': 'pending', '1': 'pending', '2': 'paid', '3': 'declined' }

/** The encryption is the only proof, so every repeated value must match our order. */
export function payoutReportOf(texts: Texts): StatusReport {
  const said = (name: string): string => texts.get(`TransferInfomation/${name}`) ?? ''
  const word = said('RecordsState')
  const state = stateIn(payoutStates, word)
  return {
    kind: 'payout',
    attempt: said('SerialNumber'),
    reference: said('Id') || null,
    state,
    amount: amountIn(said('IntoAmount')),
    currency,
    account: withoutSpaces(said('IntoAccount')),
    reason: state === 'declined' ? cut(said('Tip'), 200) || null : null,
    word: cut(word, 40),
  }
}

/** Marks a final outcome above the limit for manual review. An invalid amount is handled as a differing amount. */
export function withinLimit(reported: StatusReport, limit: Decimal): StatusReport {
  const isEnd = reported.state === 'paid' || reported.kind === 'payout'
  const isAbove = limit !== '' && isEnd && reported.amount !== null && isMore(reported.amount, limit)
  return isAbove && !reported.manualReview ? { ...reported, manualReview: 'above_limit' } : reported
}

/** Their required answer to a payout message, in their spelling. */
export const payoutAcknowledgement = {
  status: 200,
  contentType: 'text/html; charset=utf-8',
  body: '<span id="resultLable">Success</span>',
} as const
