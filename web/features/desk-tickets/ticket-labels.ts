import { limits } from '@atrium/contract/limits.ts'
import type { TicketPriority, TicketState } from '@atrium/contract/tickets/states.ts'
import { knownOr, otherLabel, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

export const stateLabels: Record<TicketState, { label: string; meaning: Meaning }> = knownOr(otherState, {
  open: { label: 'Open', meaning: 'amber' },
  taken: { label: 'Taken', meaning: 'blue' },
  resolved: { label: 'Resolved', meaning: 'green' },
  closed: { label: 'Merged', meaning: 'grey' },
})

export const priorityLabels: Record<TicketPriority, string> = knownOr(otherLabel, {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
})

/** A duration in its two largest units. */
export function describeSpan(seconds: number | null): string {
  if (seconds === null) return '\u2013'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** A count, with a plus sign at the counting limit. */
export const describeCount = (count: number): string =>
  count >= limits.ticketsCountedMax ? `${limits.ticketsCountedMax - 1}+` : String(count)
