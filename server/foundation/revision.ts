import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { refuse } from './errors.ts'
import { sortedJson } from './sorted-json.ts'

/** Stands for the values of a record, so that a change can name the values that its page showed. */
export const revisionOf = (values: object): string =>
  createHash('sha256').update(sortedJson(values)).digest('base64url')

/** Refuses to overwrite values that no longer are those shown. Pages of the previous version name none. */
export function refuseStale(seen: string | undefined, now: object, why: string = deskTexts.recordChanged): void {
  if (seen !== undefined && seen !== revisionOf(now)) refuse('conflict', why)
}

/** The same for an order or a picture, which a call names in full. */
export function refuseUnseen<Shown>(seen: Shown | undefined, now: Shown): void {
  if (seen !== undefined && !isDeepStrictEqual(seen, now)) refuse('conflict', deskTexts.recordChanged)
}
