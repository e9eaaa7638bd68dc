import { isHeld } from '@atrium/contract/files/calls.ts'
import { beneficiaryLabel } from '../../ui/money/own-transactions.ts'
import type { Transaction } from './use-trades.ts'

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

/** The name of the beneficiary, if the transaction has one. */
export const beneficiaryOf = ({ destination }: Pick<Transaction, 'destination'>): string | null =>
  destination ? beneficiaryLabel(destination) : null
