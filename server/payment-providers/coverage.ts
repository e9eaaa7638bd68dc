import type { Acknowledgement, Reported } from './reported.ts'

/** What has to be proven before a message may move money by itself. */
export const coveredFields = ['order', 'amount', 'currency', 'kind', 'reference'] as const
export type CoveredField = (typeof coveredFields)[number]

/**
 * signed: stands in the signed text and can be cut out of it in one way only. fixed: such a message names none, since there is
 * but one. unsigned: may be changed under the same signature, or be read in two ways.
 */
export type Cover = 'signed' | 'fixed' | 'unsigned'
export type Coverage = Readonly<Record<CoveredField, Cover>>
export type Kind = 'deposit' | 'payout'
/** By what a message is about. What is not named here is not signed at all. */
export type Coverages = Readonly<Partial<Record<Kind, Coverage>>>

export const allSigned: Coverage = {
  order: 'signed',
  amount: 'signed',
  currency: 'signed',
  kind: 'signed',
  reference: 'signed',
}
export const nothingSigned: Coverage = {
  order: 'unsigned',
  amount: 'unsigned',
  currency: 'unsigned',
  kind: 'unsigned',
  reference: 'unsigned',
}

export const isComplete = (coverage: Coverage = nothingSigned): boolean =>
  coveredFields.every((field) => coverage[field] !== 'unsigned')

/** What an unverified callback names: where to ask, and nothing that is believed. */
export type UnverifiedCallback = { kind: Kind; attempt: string | null; reference: string | null }

export type Refused = 'unreadable' | 'unsigned' | 'wrong_signature' | 'another_merchant' | 'another_sender'

/**
 * What an adapter makes of a message: its signature holds, or why it is refused. `hint`: their number to ask by, where it is
 * another one than the reference. Whether a message counts by itself no adapter says.
 */
export type SignatureReading = { answer: Acknowledgement } & (
  | { signed: Reported; hint?: string }
  | { refused: Refused; unverifiedCallback?: UnverifiedCallback }
)

/**
 * The only place where a message becomes genuine: its signature holds, and covers all that it would decide. Everything else
 * is an unverified callback, after which the provider is asked.
 */
export function judgeMessage(reading: SignatureReading, proves: Coverages): NotificationReading {
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
  // The member agreed: what comes next is ours to do, with the order in hand.
  const isStep = reported.state === 'payable' && reported.attempt !== null
  return { answer, isGenuine: true, reported, ...(isStep && { unverifiedCallback }) }
}

/**
 * A unverified callback names an order and proves nothing about it: the provider is asked, and its answer counts in its place. `unverified`:
 * the signature holds and leaves open what the message is about; what it said is for people to read. Made by `judgeMessage`.
 */
export type NotificationReading = { answer: Acknowledgement; unverifiedCallback?: UnverifiedCallback } & (
  | { isGenuine: true; reported: Reported }
  | { isGenuine: false; why: Refused }
  | { isGenuine: false; why: 'unverified'; said: Reported; unverifiedCallback: UnverifiedCallback }
)
