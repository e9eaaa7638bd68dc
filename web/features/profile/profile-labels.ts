import type { Meaning } from '../../ui/brand/theme.ts'
import type { Profile } from './use-profile.ts'

const meanings: Record<string, Meaning> = {
  pending: 'amber',
  in_verification: 'blue',
  approved: 'green',
  rejected: 'red',
}

/** Underscores are shown as spaces, also in a status that a later server may add. */
export function labelsOfDocuments(status: string): { meaning: Meaning; label: string } {
  const words = status.replaceAll('_', ' ')
  return { meaning: meanings[status] ?? 'grey', label: words.charAt(0).toUpperCase() + words.slice(1) }
}

const requestMeanings: Record<string, Meaning> = {
  'not-assigned': 'amber',
  open: 'amber',
  'in-progress': 'blue',
  done: 'green',
  rejected: 'red',
  canceled: 'grey',
}

/** The last request's status in its colour, as the quick links show it. */
export function labelsOfRequest(status: string): { meaning: Meaning; label: string } {
  const words = status.replaceAll('-', ' ')
  return { meaning: requestMeanings[status] ?? 'grey', label: words.charAt(0).toUpperCase() + words.slice(1) }
}

/** As it stands on an envelope, a line per entry; what is not known is left out. */
export function addressLines(address: Profile['addresses'][number]): string[] {
  const place = [address.postcode, address.city].filter(Boolean).join(' ')
  const lines = [address.address_line_1, address.address_line_2, place, address.state, address.country?.name]
  return lines.filter((line): line is string => Boolean(line))
}
