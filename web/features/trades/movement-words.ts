import { isHeld } from '@atrium/contract/files/calls.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import type { Movement } from './use-trades.ts'

type StatusWords = { label: string; meaning: Meaning; isMoving: boolean }

/** The specification's three, and the two that say what is under way; any other waits. */
const statuses: Record<string, StatusWords> = {
  approved: { label: 'Approved', meaning: 'green', isMoving: false },
  rejected: { label: 'Rejected', meaning: 'red', isMoving: false },
  crediting: { label: 'Being credited', meaning: 'blue', isMoving: true },
  checking: { label: 'Being checked', meaning: 'blue', isMoving: true },
}

export const movementStatus = (state: string): StatusWords =>
  statuses[state] ?? { label: 'Pending', meaning: 'amber', isMoving: false }

export const movementName = (type: string): string => (type === 'withdrawal' ? 'Withdrawal' : 'Deposit')

/** Minus for what goes out. */
export const movementAmount = ({ type, amount }: Pick<Movement, 'type' | 'amount'>): string =>
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

/** Each attachment as the one file that it holds, whatever kind of medium it came as. */
export function attachedOf({ attachments }: Pick<Movement, 'attachments'>): Attached[] {
  return attachments.flatMap(({ media_type, image, document, file, scan, created_at }) => {
    const one = image ?? document ?? file
    if (!one) return []
    const isPicture = image !== null && image !== undefined && !isHeld(scan)
    return [{ _id: one._id, url: one.url, title: one.title ?? null, kind: media_type, isPicture, scan, at: created_at }]
  })
}

/** A provider's destination carries a prefix that is no word for people. */
export const destinationOf = ({ destination }: Pick<Movement, 'destination'>): string | null =>
  destination?.replace(/^psp:/, '') ?? null
