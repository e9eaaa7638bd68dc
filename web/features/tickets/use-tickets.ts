import { limits } from '@atrium/contract/limits.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TicketListsQuery, TicketQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { ticketListsQuery, ticketQuery } from './tickets.queries.ts'
import type { TicketsSearch, TicketTab } from './tickets-search.ts'

export type TicketRow = TicketListsQuery['open'][number]
export type Ticket = TicketQuery['tickets'][number]
export type Entry = Ticket['conversation'][number]
export type TicketList = { rows: TicketRow[]; total: number }

/** Everything about tickets begins with this key: what the live stream of notices says of one has all of it read again. */
export const ticketsKey = ['tickets'] as const

/** An answer comes by the live stream; where that is cut off, a look now and then finds it too. */
const lookAgainMs = 20_000

export function useTicketLists({ tab, q, page }: TicketsSearch, { isOff = false } = {}) {
  const pageOf = (list: TicketTab) => (list === tab ? page : 1)
  return useQuery({
    queryKey: [...ticketsKey, 'lists', { tab, q, page }],
    queryFn: async (): Promise<Record<TicketTab, TicketList>> => {
      const { data, extra } = await graph(ticketListsQuery, {
        ...(q.trim() !== '' && { q: q.trim() }),
        limit: limits.ticketsPageSize,
        openPage: pageOf('open'),
        takenPage: pageOf('taken'),
        closedPage: pageOf('closed'),
      })
      return {
        open: { rows: data.open, total: extra.countOpen ?? data.open.length },
        taken: { rows: data.taken, total: extra.countTaken ?? data.taken.length },
        closed: { rows: data.closed, total: extra.countClosed ?? data.closed.length },
      }
    },
    enabled: !isOff,
    placeholderData: keepPreviousData,
  })
}

/** One with its conversation; null where the member has none of that id. */
export function useTicket(id: string | undefined) {
  return useQuery({
    queryKey: [...ticketsKey, 'one', id],
    queryFn: async () => (await graph(ticketQuery, { _id: id ?? '' })).data.tickets[0] ?? null,
    enabled: id !== undefined,
    refetchInterval: lookAgainMs,
  })
}
