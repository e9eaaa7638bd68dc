import type { Meaning } from '../../ui/brand/theme.ts'
import type { MemberDocument } from './use-documents.ts'

const meanings: Record<string, Meaning> = {
  pending: 'amber',
  missing: 'amber',
  in_verification: 'blue',
  approved: 'green',
  rejected: 'red',
}

/** Replaces underscores with spaces, also in a status unknown to this build. */
export function labelsOfStatus(status: string): { meaning: Meaning; label: string } {
  const text = status.replaceAll('_', ' ')
  return { meaning: meanings[status] ?? 'grey', label: text.charAt(0).toUpperCase() + text.slice(1) }
}

type Explained = Pick<MemberDocument, 'status' | 'description' | 'unverify_reason' | 'reject_reason'>

/** The note under a document: its description, or else the reason why it is pending or was rejected. */
export function noteOf({ status, description, unverify_reason, reject_reason }: Explained): string | null {
  if (description) return description
  if (status === 'pending') return unverify_reason ?? null
  return status === 'rejected' ? (reject_reason ?? null) : null
}

const renewalMs = 30 * 86_400_000

/** `soon` in the last thirty days of an approved document, `over` after its expiry. */
export function expiryOf({ status, expires_on }: Pick<MemberDocument, 'status' | 'expires_on'>, now: number) {
  if (!expires_on || status !== 'approved') return null
  const lastMoment = Date.parse(`${expires_on}T23:59:59Z`)
  if (lastMoment < now) return 'over'
  return lastMoment - now < renewalMs ? 'soon' : 'later'
}
