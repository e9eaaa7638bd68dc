import { limits } from '@atrium/contract/limits.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TicketListsQuery, TicketQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { ticketListsQuery, ticketQuery } from './tickets.queries.ts'
import { ticketsKey } from './tickets-key.ts'

export type TicketRow = TicketListsQuery['open'][number]
export type Ticket = TicketQuery['tickets'][number]
export type Entry = Ticket['conversation'][number]
export type TicketTab = 'open' | 'taken' | 'closed'
export type TicketLists = Record<TicketTab, { rows: TicketRow[]; total: number }>

/** Answers arrive by the live stream; polling covers a broken connection. */
const pollMs = 20_000

type Asked = { tab?: TicketTab | undefined; q?: string | undefined; page?: number | undefined }

export async function readTicketLists({ tab = 'open', q = '', page = 1 }: Asked): Promise<TicketLists> {
  const pageOf = (list: TicketTab) => (list === tab ? page : 1)
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
}

/** The first page of each tab. */
export const newestTickets = queryOptions({
  queryKey: [...ticketsKey, 'newest'],
  queryFn: () => readTicketLists({}),
})

export const useTicketLists = ({ isOff = false } = {}) => useQuery({ ...newestTickets, enabled: !isOff })

/** One ticket with its conversation; null when the member has none with this id. */
export function useTicket(id: string | undefined) {
  return useQuery({
    queryKey: [...ticketsKey, 'one', id],
    queryFn: async () => (await graph(ticketQuery, { _id: id ?? '' })).data.tickets[0] ?? null,
    enabled: id !== undefined,
    refetchInterval: pollMs,
  })
}
