import { randomBytes } from 'node:crypto'
import { type Decimal, isMore } from '@atrium/contract/money/money.ts'
import { chinaTime } from '../china-time.ts'
import { type OrderToStart, PaymentProblem, type PayoutState, type PayoutToStart } from '../contract.ts'
import { amountIn, amountShape, cut, nameShape, plainAccount, stateIn, textAnswer, type Words } from '../messages.ts'
import type { Reported } from '../reported.ts'
import { hashOfParts, isSameSignature } from '../signing.ts'
import { readXml, type Texts, xmlText } from '../xml.ts'
import { type Keys, open, seal } from './cipher.ts'

/** Their words to ours and back. Pure, but for the noise that each message ends with. */
export const currency = 'CNY'

/** What they are asked for, by how their page is shown. */
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

/** The document, then its signature, then noise: their callback when it says all that it must, and nothing otherwise. */
export function openCallback(res: string, { keys, md5Key }: Merchant): Texts | 'wrong_signature' | 'unreadable' {
  // A proxy that decodes twice leaves blanks where plus signs were.
  const text = open(res.replaceAll(' ', '+'), keys)
  if (text === null || !/[0-9a-f]{64}$/i.test(text)) return 'wrong_signature'
  const [xml, given] = [text.slice(0, -64), text.slice(-64, -32).toLowerCase()]
  if (!isSameSignature(given, signature(xml, md5Key))) return 'wrong_signature'
  const texts = readXml(xml)
  return texts && texts.get('message/cmd') === '6007' ? texts : 'unreadable'
}

export const saidIn = (texts: Texts, name: string): string => texts.get(`message/${name}`) ?? ''

const noticeShapes: readonly (readonly [string, RegExp])[] = [
  ['order', nameShape],
  ['money', amountShape],
  ['unit', /^\d{1,2}$/],
  ['result', /^[\w-]{1,20}$/],
]
export const hasShape = (texts: Texts): boolean =>
  noticeShapes.every(([name, shape]) => shape.test(saidIn(texts, name)))

/** Nought and three mean that something was not valid, and not what became of the money: a person looks in their list. */
const words: Words = { '1': 'paid', '2': 'declined' }
const units: Readonly<Record<string, string>> = { '1': 'CNY', '2': 'USD' }

export function reportOf(texts: Texts): Reported {
  const word = saidIn(texts, 'result')
  return {
    attempt: saidIn(texts, 'order') || null,
    // They name no payment of their own.
    reference: null,
    state: stateIn(words, word),
    amount: amountIn(saidIn(texts, 'money')),
    currency: units[saidIn(texts, 'unit')] ?? null,
    reason: null,
    word: cut(word, 40),
  }
}

export const codes = { received: '100', wrongMerchant: '101', wrongSignature: '103' } as const

/** What they take for an answer, whatever was decided: without it they send the same again. */
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

/** The name of the root is their spelling. */
export function payoutXml(payout: PayoutToStart, bankCode: string): string {
  if (payout.currency !== currency || !/^\d+\.\d\d$/.test(payout.amount))
    throw new PaymentProblem('declined', 'yuan only')
  const content = [
    element('Id', '0'),
    element('IntoAccount', plainAccount(payout.account)),
    element('IntoName', payout.holder),
    element('IntoBank1', bankCode),
    element('IntoBank2', ''),
    element('IntoAmount', payout.amount),
    element('SerialNumber', payout.attempt),
  ].join('')
  return `<TransferInfomation>${content}</TransferInfomation>`
}

/** Sealed and not signed, with the noise behind the seal, unlike a deposit. */
export const sealedPayout = (xml: string, keys: Keys, end = noise()): string => `${seal(xml, keys)}${end}`

/** What a person mends, and sends again: nothing of it is with them. */
const mendable: Readonly<Record<string, string>> = {
  '-12': 'something is missing (-12)',
  '-13': 'the branch of the bank is missing (-13)',
  '-14': 'their code of the bank is wrong (-14)',
  '-16': 'our address is not on their list (-16)',
}

/**
 * A number of theirs means that they have it. A number that they know already was sent before, by whomever, so even that
 * says nothing of what became of it.
 */
export function payoutStateOf(number: string): PayoutState {
  if (/^[1-9]\d*$/.test(number)) return { state: 'pending', reference: number }
  if (number === '-11') throw new PaymentProblem('declined', 'the amount is too low (-11)')
  const problem = mendable[number]
  throw problem ? new PaymentProblem('misconfigured', problem) : new PaymentProblem('unknown', `code ${number}`)
}

/** Nothing but the seal proves it: what it opens to and is no such document was sealed with other keys. */
export function openPayoutNotice(text: string, keys: Keys): Texts | null {
  const xml = open(text.replaceAll(' ', '+').slice(0, -32), keys)
  const texts = xml === null ? null : readXml(xml)
  const said = (name: string): string => texts?.get(`TransferInfomation/${name}`) ?? ''
  // An order of ours to pay out is sealed alike: without a state of theirs it is nothing that they say.
  return nameShape.test(said('SerialNumber')) && /^[\w-]{1,20}$/.test(said('RecordsState')) ? texts : null
}

const payoutWords: Words = { '0': 'pending', '1': 'pending', '2': 'paid', '3': 'declined' }

/** The seal is all that proves it, so everything that it repeats of our order has to agree. */
export function payoutReportOf(texts: Texts): Reported {
  const said = (name: string): string => texts.get(`TransferInfomation/${name}`) ?? ''
  const word = said('RecordsState')
  const state = stateIn(payoutWords, word)
  return {
    kind: 'payout',
    attempt: said('SerialNumber'),
    reference: said('Id') || null,
    state,
    amount: amountIn(said('IntoAmount')),
    currency,
    account: plainAccount(said('IntoAccount')),
    reason: state === 'declined' ? cut(said('Tip'), 200) || null : null,
    word: cut(word, 40),
  }
}

/** What ends something and is above the limit is for a person. An amount that is none is one that differs from ours. */
export function withinLimit(reported: Reported, limit: Decimal): Reported {
  const isEnd = reported.state === 'paid' || reported.kind === 'payout'
  const isAbove = limit !== '' && isEnd && reported.amount !== null && isMore(reported.amount, limit)
  return isAbove && !reported.forStaff ? { ...reported, forStaff: 'above_limit' } : reported
}

/** What they take for an answer to what they say of a payout, with their spelling. */
export const payoutAcknowledgement = {
  status: 200,
  contentType: 'text/html; charset=utf-8',
  body: '<span id="resultLable">Success</span>',
} as const
