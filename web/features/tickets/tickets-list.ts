import { limits } from '@atrium/contract/limits.ts'
import { choiceOr, declareList, search } from '@atrium/contract/list.ts'
import type { TicketTab } from './use-tickets.ts'

export const ticketTabs = ['open', 'taken', 'closed'] as const satisfies TicketTab[]

/** The member's tickets of one tab; the search filters all tabs. */
export const ticketsList = declareList({
  name: 'tickets',
  isNumbered: true,
  pageSize: limits.ticketsPageSize,
  filters: { tab: choiceOr(ticketTabs, 'open'), q: search },
})
