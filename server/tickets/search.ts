import { limits } from '@atrium/contract/limits.ts'
import type { SearchSource } from '../search/source.ts'
import { filterOf, listTickets } from './queries.ts'

const stateLabels: Record<string, string> = { open: 'Open', taken: 'In Progress', resolved: 'Closed', closed: 'Closed' }

/** By number, or by a part of a ticket's text. */
export const ticketSource: SearchSource = {
  group: 'tickets',
  scope: 'support',
  async find(tx, member, query) {
    const filter = filterOf({ q: query }, member.memberId)
    if (!filter) return []
    const found = await listTickets(tx, member, filter, { limit: limits.searchHitsMax, offset: 0 })
    return found.map(({ ticket_id, number, subject, state }) => ({
      _id: ticket_id,
      title: `#${number} ${subject}`,
      facts: [stateLabels[state] ?? state],
    }))
  },
}
