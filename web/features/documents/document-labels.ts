import { limits } from '@atrium/contract/limits.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import { dayIn } from '../../ui/text/format.ts'
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

const dayMs = 86_400_000

type Expiring = Pick<MemberDocument, 'status' | 'expires_on'>

/** `soon` in the last days of an approved document, `over` after its expiry: whole days of the brokerage, by the server's rule. */
export function expiryOf({ status, expires_on }: Expiring, now: number, zone: string | undefined) {
  if (!expires_on || status !== 'approved') return null
  const today = dayIn(now, zone)
  if (expires_on < today) return 'over'
  const daysLeft = (Date.parse(expires_on) - Date.parse(today)) / dayMs
  return daysLeft <= limits.documentRenewalDays ? 'soon' : 'later'
}
