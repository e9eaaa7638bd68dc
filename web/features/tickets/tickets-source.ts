import { type ListSource, numberedPage } from '../../ui/lists/list-query.ts'
import { ticketsKey } from './tickets-key.ts'
import { ticketsList } from './tickets-list.ts'
import { readTicketLists, type TicketLists, type TicketRow } from './use-tickets.ts'

/** One page serves all tabs, so that each shows its count. */
export const tickets: ListSource<typeof ticketsList, TicketRow, TicketLists> = {
  list: ticketsList,
  key: [...ticketsKey, 'lists'],
  async ask(asked) {
    const lists = await readTicketLists(asked)
    const { rows, total } = lists[asked.tab ?? 'open']
    return numberedPage(rows, total, lists)
  },
}
