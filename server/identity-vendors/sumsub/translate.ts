import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { IdentityReading, IdentityReport, RawNotification } from '../contract.ts'

/** Their words and ours; pure. */

type Signed = { secret: string; at: Date; method: string; path: string; body: string }

/** Each request is signed over its moment, method, path with query, and body. */
export function signRequest({ secret, at, method, path, body }: Signed): { ts: string; signature: string } {
  const ts = String(Math.floor(at.getTime() / 1_000))
  const signature = createHmac('sha256', secret).update(`${ts}${method}${path}${body}`).digest('hex')
  return { ts, signature }
}

/** SHA-1 is offered by them too, for old webhooks; it is not taken here. */
const digestNames = new Map([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
])

export function isSignedBy(secret: string, { body, headers }: RawNotification): boolean {
  const algorithm = digestNames.get(headers['x-payload-digest-alg'] ?? 'HMAC_SHA256_HEX')
  const given = headers['x-payload-digest'] ?? ''
  if (!algorithm || !/^[0-9a-f]{64,128}$/.test(given)) return false
  const wanted = Buffer.from(createHmac(algorithm, secret).update(body).digest('hex'))
  const sent = Buffer.from(given)
  return wanted.length === sent.length && timingSafeEqual(wanted, sent)
}

const review = z.object({
  reviewAnswer: z.enum(['GREEN', 'RED']).optional(),
  reviewRejectType: z.enum(['FINAL', 'RETRY']).optional(),
  moderationComment: z.string().optional(),
  rejectLabels: z.array(z.string()).optional(),
})
const status = z.object({ reviewStatus: z.string(), reviewResult: review.nullish() })

const reasonCharsMax = 500

/** What is said to the member is the vendor's comment for them; labels are words for programs. */
export function reportOf(told: unknown): IdentityReport | null {
  const { reviewStatus, reviewResult } = status.parse(told)
  if (reviewStatus === 'completed' && reviewResult?.reviewAnswer === 'GREEN') return { state: 'approved', reason: null }
  if (reviewStatus === 'completed' && reviewResult?.reviewAnswer === 'RED') {
    const reason = [...(reviewResult.moderationComment ?? '')].slice(0, reasonCharsMax).join('').trim() || null
    // What they do not call final may be handed in again.
    return { state: reviewResult.reviewRejectType === 'FINAL' ? 'rejected' : 'retry', reason }
  }
  const isLookedAt = ['pending', 'queued', 'prechecked', 'onHold'].includes(reviewStatus)
  return isLookedAt ? { state: 'waiting', reason: null } : null
}

const notification = z.object({
  applicantId: z.string().min(1).max(100),
  externalUserId: z.string().min(1).max(100),
  type: z.string(),
  reviewStatus: z.string(),
  createdAtMs: z.union([z.number(), z.string().min(1)]),
})

/** The kinds that tell how a check stands; the others are of no meaning here. */
const telling = ['applicantPending', 'applicantOnHold', 'applicantReviewed']

export function readNotification(secret: string, received: RawNotification): IdentityReading {
  if (!received.headers['x-payload-digest']) return { isGenuine: false, why: 'unsigned' }
  if (!isSignedBy(secret, received)) return { isGenuine: false, why: 'forged' }
  try {
    const told: unknown = JSON.parse(received.body.toString('utf8'))
    const { applicantId, externalUserId, type, createdAtMs } = notification.parse(told)
    const at = momentOf(createdAtMs)
    if (at === null) return { isGenuine: false, why: 'unreadable' }
    const report = telling.includes(type) ? reportOf(told) : null
    return { isGenuine: true, checkId: externalUserId, applicantId, at, report }
  } catch {
    // Signed, and still no message as their documentation has it: a person has to look.
    return { isGenuine: false, why: 'unreadable' }
  }
}

/** As a number, or as `2026-11-21 09:00:00.000` in UTC. */
function momentOf(told: number | string): Date | null {
  const at = typeof told === 'number' ? new Date(told) : new Date(`${told.trim().replace(' ', 'T').replace(/Z$/, '')}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}
