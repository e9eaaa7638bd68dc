import { isHeld } from '@atrium/contract/files/calls.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import type { Transaction } from './use-trades.ts'

type StatusLabels = { label: string; meaning: Meaning; isMoving: boolean }

/** The specification's three statuses and two for work in progress; any other counts as waiting. */
const statuses: Record<string, StatusLabels> = {
  approved: { label: 'Approved', meaning: 'green', isMoving: false },
  rejected: { label: 'Rejected', meaning: 'red', isMoving: false },
  crediting: { label: 'Being credited', meaning: 'blue', isMoving: true },
  checking: { label: 'Verifying', meaning: 'blue', isMoving: true },
}

export const transactionStatus = (state: string): StatusLabels =>
  statuses[state] ?? { label: 'Pending', meaning: 'amber', isMoving: false }

export const transactionName = (type: string): string => (type === 'withdrawal' ? 'Withdrawal' : 'Deposit')

/** Minus for outgoing amounts. */
export const transactionAmount = ({ type, amount }: Pick<Transaction, 'type' | 'amount'>): string =>
  type === 'withdrawal' ? `-${amount}` : amount

export type Attached = {
  _id: string
  url: string
  title: string | null
  kind: string
  isPicture: boolean
  scan: string
  at: number
}

/** Each attachment's one file, whatever its kind. */
export function attachedOf({ attachments }: Pick<Transaction, 'attachments'>): Attached[] {
  return attachments.flatMap(({ media_type, image, document, file, scan, created_at }) => {
    const one = image ?? document ?? file
    if (!one) return []
    const isPicture = image !== null && image !== undefined && !isHeld(scan)
    return [{ _id: one._id, url: one.url, title: one.title ?? null, kind: media_type, isPicture, scan, at: created_at }]
  })
}

/** Beneficiaries at providers carry a technical prefix. */
export const beneficiaryOf = ({ destination }: Pick<Transaction, 'destination'>): string | null =>
  destination?.replace(/^psp:/, '') ?? null
