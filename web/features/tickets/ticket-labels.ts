import type { Meaning } from '../../ui/brand/theme.ts'
import type { TicketTab } from './use-tickets.ts'

type StatusLabel = { label: string; meaning: Meaning }

/** The labels of a ticket's statuses. A merged ticket counts as closed for its member. */
const statusLabels: Record<string, StatusLabel> = {
  open: { label: 'Open', meaning: 'amber' },
  taken: { label: 'In Progress', meaning: 'blue' },
  resolved: { label: 'Closed', meaning: 'green' },
  closed: { label: 'Closed', meaning: 'grey' },
}

export const labelsOfStatus = (status: string): StatusLabel =>
  statusLabels[status] ?? { label: status, meaning: 'grey' }

/** The statuses that a member can set, in the order of the picker. */
export const memberStatuses = ['open', 'taken', 'resolved'] as const
export const pickedLabels = { open: 'Open', taken: 'Taken', resolved: 'Resolved' } as const

export const priorityLabels: Record<string, string> = { low: 'Low', medium: 'Medium', high: 'High' }

export const tabLabels: Record<TicketTab, string> = { open: 'Opened', taken: 'In Progress', closed: 'Closed' }

export const emptyTexts: Record<TicketTab, string> = {
  open: 'You have no tickets created yet.',
  taken: 'You have no tickets in progress yet.',
  closed: 'You have no tickets closed yet.',
}
