/** Maps the vendor's terms to ours; pure functions. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { withoutMark } from '../../foundation/json.ts'
import type { IdentityReading, IdentityReport, RawWebhookEvent } from '../contract.ts'

type Signed = { secret: string; at: Date; method: string; path: string; body: string }

/** The signature covers time, method, path with query, and body. */
export function signRequest({ secret, at, method, path, body }: Signed): { ts: string; signature: string } {
  const ts = String(Math.floor(at.getTime() / 1_000))
  const signature = createHmac('sha256', secret).update(`${ts}${method}${path}${body}`).digest('hex')
  return { ts, signature }
}

/** The vendor also offers SHA-1 for old webhooks; it is not accepted here. */
const digestNames = new Map([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
])

export function isSignedBy(secret: string, { body, headers }: RawWebhookEvent): boolean {
  const algorithm = digestNames.get(headers['x-payload-digest-alg'] ?? 'HMAC_SHA256_HEX')
  const given = headers['x-payload-digest'] ?? ''
  if (!algorithm || !/^[0-9a-f]{64,128}$/.test(given)) return false
  const wanted = Buffer.from(createHmac(algorithm, secret).update(body).digest('hex'))
  const sent = Buffer.from(given)
  return wanted.length === sent.length && timingSafeEqual(wanted, sent)
}

/** A field without a value is absent or null. */
const review = z.object({
  reviewAnswer: z.enum(['GREEN', 'RED']).nullish(),
  reviewRejectType: z.enum(['FINAL', 'RETRY']).nullish(),
  moderationComment: z.string().nullish(),
})
const status = z.object({ reviewStatus: z.string(), reviewResult: review.nullish() })

const reasonCharsMax = 500

/** The member reads the vendor's moderation comment; the reject labels are machine-readable codes. */
export function reportOf(payload: unknown): IdentityReport | null {
  const { reviewStatus, reviewResult } = status.parse(payload)
  if (reviewStatus === 'completed' && reviewResult?.reviewAnswer === 'GREEN') return { state: 'approved', reason: null }
  if (reviewStatus === 'completed' && reviewResult?.reviewAnswer === 'RED') {
    const reason = [...(reviewResult.moderationComment ?? '')].slice(0, reasonCharsMax).join('').trim() || null
    // A rejection that is not final allows a new submission.
    return { state: reviewResult.reviewRejectType === 'FINAL' ? 'rejected' : 'retry', reason }
  }
  const isInReview = ['pending', 'queued', 'prechecked', 'onHold'].includes(reviewStatus)
  return isInReview ? { state: 'waiting', reason: null } : null
}

const webhookEvent = z.object({
  applicantId: z.string().min(1).max(100),
  externalUserId: z.string().min(1).max(100),
  type: z.string(),
  reviewStatus: z.string(),
  createdAtMs: z.union([z.number(), z.string().min(1)]),
})

/** The event types that report the state of a check; all others are ignored. */
const reportingTypes = ['applicantPending', 'applicantOnHold', 'applicantReviewed']

/** The statuses before the vendor has everything that it reviews. */
const unsubmitted = ['init', 'awaitingUser', 'awaitingService']

export function readWebhookEvent(secret: string, received: RawWebhookEvent): IdentityReading {
  if (!received.headers['x-payload-digest']) return { isGenuine: false, why: 'unsigned' }
  if (!isSignedBy(secret, received)) return { isGenuine: false, why: 'forged' }
  return readProvenEvent(received)
}

export function readProvenEvent({ body }: RawWebhookEvent): IdentityReading {
  try {
    const payload: unknown = JSON.parse(withoutMark(body.toString('utf8')))
    const { applicantId, externalUserId, type, reviewStatus, createdAtMs } = webhookEvent.parse(payload)
    const at = momentOf(createdAtMs)
    if (at === null) return { isGenuine: false, why: 'unreadable' }
    const report = reportingTypes.includes(type) ? reportOf(payload) : null
    // Ignored, an outcome in words that are new to us would leave the member waiting.
    if (!report && reportingTypes.includes(type) && !unsubmitted.includes(reviewStatus))
      return { isGenuine: false, why: 'unreadable' }
    return { isGenuine: true, checkId: externalUserId, applicantId, at, report }
  } catch {
    // Signed but not as documented: staff must review it.
    return { isGenuine: false, why: 'unreadable' }
  }
}

/** Milliseconds as a number or in digits, or `2026-11-21 09:00:00.000`: in UTC, unless an offset such as `+0000` follows. */
function momentOf(payload: number | string): Date | null {
  const said = String(payload).trim()
  const [, day, time, zone = 'Z'] = /^(\d{4}-\d\d-\d\d)[T ]([\d:.]{8,16}?)(Z|[+-]\d\d:?\d\d)?$/.exec(said) ?? []
  const spelled = `${day}T${time}${zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`
  const at = new Date(/^\d{1,15}$/.test(said) ? Number(said) : spelled)
  return Number.isNaN(at.getTime()) ? null : at
}
