import { paymentTexts } from '@atrium/contract/payments/texts.ts'

/** Longer than any provider's message, too short for injected text. */
const messageCharsMax = 200

/**
 * Known reasons for a failed payment. Anyone can forge a return address, so none of its text
 * is shown under the brokerage's name.
 */
const reasons: [RegExp, string][] = [
  [/insuff|not enough|low balance/, 'There is not enough money on the card or account that you paid with.'],
  [/expired/, 'The card has expired.'],
  [/3-?d|authenti|verif/, 'Your bank could not confirm that the payment is yours.'],
  [/limit|exceed/, 'The amount is above a limit of your card or account.'],
  [/cvv|cvc|card number|invalid card|security code/, 'The card details are incorrect.'],
  [/time ?d? ?out|session/, 'The time to pay has expired.'],
  [/declin|reject|honou?r|refus|blocked/, 'Your bank or card issuer declined the payment.'],
]

const reasonOf = (message: string): string =>
  reasons.find(([word]) => word.test(message.toLowerCase()))?.[1] ?? paymentTexts.notAccepted

/** The parameters of a provider's return address; the server alone decides the outcome of a payment. */
export type Returned = { kind: 'failed'; message: string } | { kind: 'cancelled'; message: string } | null

export function returnedFrom(search: Record<string, unknown>): Returned {
  const status = String(search.ppp_status ?? '').toUpperCase()
  if (status === 'CANCEL') return { kind: 'cancelled', message: paymentTexts.cancelled }
  if (status !== 'FAIL') return null
  return { kind: 'failed', message: reasonOf(readable(String(search.message ?? ''))) }
}

/** Replaces plus signs by spaces, and technical messages by our own. */
const rewritten: [RegExp, string][] = [
  [/\btxn\b/gi, 'transaction'],
  [/\bauth\b/gi, 'authorisation'],
  [/\binsuff\b/gi, 'insufficient'],
]

export function readable(message: string): string {
  const spaced = message.replaceAll('+', ' ').replace(/\s+/g, ' ').trim()
  const said = rewritten.reduce((text, [theirs, ours]) => text.replace(theirs, ours), spaced)
  return [...said].slice(0, messageCharsMax).join('')
}
