import { paymentTexts } from '@atrium/contract/payments/texts.ts'

/** Longer than any sentence of a provider, shorter than what somebody would hide a story in. */
const messageCharsMax = 200

/**
 * Why a payment failed, as far as we know the word for it. Anybody can write an address, so that none of its own text
 * is shown under the brokerage's name.
 */
const reasons: [RegExp, string][] = [
  [/insuff|not enough|low balance/, 'There is not enough money on the card or account that you paid with.'],
  [/expired/, 'The card has expired.'],
  [/3-?d|authenti|verif/, 'Your bank could not confirm that the payment is yours.'],
  [/limit|exceed/, 'The amount is above a limit of your card or account.'],
  [/cvv|cvc|card number|invalid card|security code/, 'The card details are not right.'],
  [/time ?d? ?out|session/, 'The time to pay ran out.'],
  [/declin|reject|honou?r|refus|blocked/, 'Your bank or card issuer declined the payment.'],
]

const reasonOf = (message: string): string =>
  reasons.find(([word]) => word.test(message.toLowerCase()))?.[1] ?? paymentTexts.notAccepted

/** What a provider's page sent back with the member: never the last word on a payment. */
export type Returned = { kind: 'failed'; message: string } | { kind: 'cancelled'; message: string } | null

export function returnedFrom(search: Record<string, unknown>): Returned {
  const status = String(search.ppp_status ?? '').toUpperCase()
  if (status === 'CANCEL') return { kind: 'cancelled', message: paymentTexts.cancelled }
  if (status !== 'FAIL') return null
  return { kind: 'failed', message: reasonOf(readable(String(search.message ?? ''))) }
}

/** Blanks for plus signs, and their words for ours where theirs are a machine's. */
const rewritten: [RegExp, string][] = [
  [/\btxn\b/gi, 'transaction'],
  [/\bauth\b/gi, 'authorisation'],
  [/\binsuff\b/gi, 'insufficient'],
]

export function readable(message: string): string {
  const plain = message.replaceAll('+', ' ').replace(/\s+/g, ' ').trim()
  const said = rewritten.reduce((text, [theirs, ours]) => text.replace(theirs, ours), plain)
  return [...said].slice(0, messageCharsMax).join('')
}
