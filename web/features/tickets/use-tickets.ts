import type { CallInput } from '@atrium/contract/call.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { createTicket, readTicket, respondToTicket, updateTicket } from '@atrium/contract/tickets/calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { TicketListsQuery, TicketQuery } from '../../api/generated/graphql.ts'
import { call, graph } from '../../api/transport.ts'
import { notice } from '../../ui/feedback/notice.ts'
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

/** Says that what staff wrote has been seen, once it stands on the screen. */
export function useSeen({ _id, is_unread }: Ticket): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!is_unread) return
    call(readTicket, { _id })
      .then(() => queries.invalidateQueries({ queryKey: ticketsKey }))
      // The mark stays, and the next look takes it away.
      .catch(() => undefined)
  }, [_id, is_unread, queries])
}

export function useFiling() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: CallInput<typeof createTicket>) => call(createTicket, input),
    onSuccess: ({ msg }) => {
      notice.done(msg.map((line) => t(line)).join(' '), limits.ticketNoticeMs)
      return queries.invalidateQueries({ queryKey: ticketsKey })
    },
  })
}

type Change = { status: 'open' | 'taken' | 'resolved' } | { priority: 'low' | 'medium' | 'high' }

/** Closes a ticket, opens it again, marks it as in progress or ranks it. However it ended, what is shown is read anew. */
export function useTicketChange({ _id, ticket }: Pick<Ticket, '_id' | 'ticket'>) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => call(updateTicket, { _id, ...change }),
    onSuccess: (_, change) => {
      const isClosed = 'status' in change && change.status === 'resolved'
      notice.done(t(isClosed ? ticketTexts.resolved : ticketTexts.updated, { ticket }), limits.complaintNoticeMs)
    },
    onError: () => notice.warning(t(ticketTexts.notUpdated)),
    onSettled: () => queries.invalidateQueries({ queryKey: ticketsKey }),
  })
}

export function useReply(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (response: CallInput<typeof respondToTicket>['response']) =>
      call(respondToTicket, { _id: id, response }),
    onSettled: () => queries.invalidateQueries({ queryKey: ticketsKey }),
  })
}

/** What may be attached, as the specification lists it. */
export const attachmentRules = uploadPurposes.ticket
