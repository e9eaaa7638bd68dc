import type { Acknowledgement, StatusReport } from './status-report.ts'

/** The fields that must be proven before a message alone may move money. */
export const coveredFields = ['order', 'amount', 'currency', 'kind', 'reference'] as const
export type CoveredField = (typeof coveredFields)[number]

/**
 * signed: part of the signed text, which can be split in one way only. fixed: the message omits it because there is
 * only one value. unsigned: can be changed under the same signature, or read in two ways.
 */
export type Cover = 'signed' | 'fixed' | 'unsigned'
export type Coverage = Readonly<Record<CoveredField, Cover>>
export type Kind = 'deposit' | 'payout'
/** By the subject of a message. A kind that is not listed is not signed at all. */
export type Coverages = Readonly<Partial<Record<Kind, Coverage>>>

export const allSigned: Coverage = {
  order: 'signed',
  amount: 'signed',
  currency: 'signed',
  kind: 'signed',
  reference: 'signed',
}
export const unsignedCoverage: Coverage = {
  order: 'unsigned',
  amount: 'unsigned',
  currency: 'unsigned',
  kind: 'unsigned',
  reference: 'unsigned',
}

export const isComplete = (coverage: Coverage = unsignedCoverage): boolean =>
  coveredFields.every((field) => coverage[field] !== 'unsigned')

/** The order that an unverified callback names, to be queried; nothing else in it is used. */
export type UnverifiedCallback = { kind: Kind; attempt: string | null; reference: string | null }

export type Refused = 'unreadable' | 'unsigned' | 'wrong_signature' | 'another_merchant' | 'another_sender'

/**
 * An adapter's reading of a message: a valid signature, or the reason for refusal; whether the message counts is
 * decided by `judgeMessage` alone. `hint` is their id for a query, if it differs from the reference.
 */
export type SignatureReading = { answer: Acknowledgement } & (
  | { signed: StatusReport; hint?: string }
  | { refused: Refused; unverifiedCallback?: UnverifiedCallback }
)

/**
 * The only function that makes a message genuine: its signature is valid and covers every deciding field. Everything
 * else is an unverified callback, after which the provider is queried.
 */
export function judgeMessage(reading: SignatureReading, proves: Coverages): WebhookEventReading {
  const { answer } = reading
  if ('refused' in reading)
    return {
      answer,
      isGenuine: false,
      why: reading.refused,
      ...(reading.unverifiedCallback && { unverifiedCallback: reading.unverifiedCallback }),
    }
  const { signed: reported, hint } = reading
  const kind: Kind = reported.kind ?? 'deposit'
  const unverifiedCallback: UnverifiedCallback = {
    kind,
    attempt: reported.attempt,
    reference: hint ?? reported.reference,
  }
  if (!isComplete(proves[kind]))
    return { answer, isGenuine: false, why: 'unverified', said: reported, unverifiedCallback }
  // The member has agreed: the next step is our capture call.
  const isStep = reported.state === 'payable' && reported.attempt !== null
  return { answer, isGenuine: true, reported, ...(isStep && { unverifiedCallback }) }
}

/**
 * The judgement of `judgeMessage`: after an unverified callback, which names an order and proves nothing about it, the
 * provider is queried, and its answer counts instead. With `unverified` the signature is valid but does not cover every
 * deciding field, so the content is shown to staff only.
 */
export type WebhookEventReading = { answer: Acknowledgement; unverifiedCallback?: UnverifiedCallback } & (
  | { isGenuine: true; reported: StatusReport }
  | { isGenuine: false; why: Refused }
  | { isGenuine: false; why: 'unverified'; said: StatusReport; unverifiedCallback: UnverifiedCallback }
)
