import { paymentTexts } from '@atrium/contract/payment-texts.ts'

/** Longer than any sentence of a provider, shorter than what somebody would hide a story in. */
const messageCharsMax = 200

/** What a provider's page sent back with the member. Text only, and never the last word on a payment. */
export type Returned = { kind: 'failed'; message: string } | { kind: 'cancelled'; message: string } | null

export function returnedFrom(search: Record<string, unknown>): Returned {
  const status = String(search.ppp_status ?? '').toUpperCase()
  if (status === 'CANCEL') return { kind: 'cancelled', message: paymentTexts.cancelled }
  if (status !== 'FAIL') return null
  return { kind: 'failed', message: readable(String(search.message ?? '')) || paymentTexts.notAccepted }
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
