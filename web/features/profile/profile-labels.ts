import type { Meaning } from '../../ui/brand/theme.ts'
import type { Profile } from './use-profile.ts'

const meanings: Record<string, Meaning> = {
  pending: 'amber',
  in_verification: 'blue',
  approved: 'green',
  rejected: 'red',
}

/** Shows underscores as spaces, also in a status that a later server adds. */
export function labelsOfDocuments(status: string): { meaning: Meaning; label: string } {
  const text = status.replaceAll('_', ' ')
  return { meaning: meanings[status] ?? 'grey', label: text.charAt(0).toUpperCase() + text.slice(1) }
}

const requestMeanings: Record<string, Meaning> = {
  'not-assigned': 'amber',
  open: 'amber',
  'in-progress': 'blue',
  done: 'green',
  rejected: 'red',
  canceled: 'grey',
}

/** The status of the last request with its colour, as in the quick links. */
export function labelsOfRequest(status: string): { meaning: Meaning; label: string } {
  const text = status.replaceAll('-', ' ')
  return { meaning: requestMeanings[status] ?? 'grey', label: text.charAt(0).toUpperCase() + text.slice(1) }
}

/** In postal order, one line per entry; unknown parts are omitted. */
export function addressLines(address: Profile['addresses'][number]): string[] {
  const place = [address.postcode, address.city].filter(Boolean).join(' ')
  const lines = [address.address_line_1, address.address_line_2, place, address.state, address.country?.name]
  return lines.filter((line): line is string => Boolean(line))
}
