import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import {
  addCannedReply,
  archiveCannedReply,
  assignTicket,
  attachToTicket,
  changeCannedReply,
  changeDeskTicket,
  type DeskTicket,
  deskTicketCalls,
  listCannedReplies,
  markTicketRead,
  mergeTicket,
  noteOnTicket,
  readDeskTicket,
  readTicketMetrics,
  replyToTicket,
} from '@atrium/contract/tickets/desk-calls.ts'
import { ticketsList } from '@atrium/contract/tickets/desk-list.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'
import { upload } from '../../api/upload.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'

const refreshMs = 5_000

export type TicketsAnswer = CallAnswer<typeof deskTicketCalls.list>

/** The board, refreshed while visible. */
export const tickets = listSource(ticketsList, deskTicketCalls, {
  refreshMs: () => refreshMs,
  // Keeps the count in the menu equal to the board.
  onAnswer: ({ counts }, client) => client.setQueryData(waitingTicketsQuery.queryKey, counts.waiting),
})
const listKey = tickets.key

const countedAgainMs = 60_000

/** The number of unassigned or unanswered tickets, for the menu. */
export const waitingTicketsQuery = queryOptions({
  queryKey: [listKey, 'waiting'],
  queryFn: async () => (await call(deskTicketCalls.list, { limit: 1 }, { isQuiet: true })).counts.waiting,
  staleTime: countedAgainMs,
  refetchInterval: countedAgainMs,
})

export const deskTicketQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-ticket', id],
    queryFn: async () => (await call(readDeskTicket, { id })).ticket,
    refetchInterval: refreshMs,
  })

export const cannedQuery = queryOptions({
  queryKey: ['canned-replies'],
  queryFn: async () => (await call(listCannedReplies, {})).replies,
  staleTime: 60_000,
})

export const ticketMetricsQuery = (days: '7' | '30' | '90') =>
  queryOptions({
    queryKey: ['ticket-metrics', days],
    queryFn: async () => (await call(readTicketMetrics, { days })).figures,
    refetchInterval: 60_000,
  })

type Seen = { seen_state: DeskTicket['state']; seen_messages?: number }

/** The ticket as the page shows it. */
export const seenOf = ({ state, messages }: DeskTicket): Seen => ({
  seen_state: state,
  ...(messages !== undefined && { seen_messages: messages }),
})

export type Act =
  | { do: 'assign'; from: string | null; to: string | null }
  | { do: 'reply'; content: string; resolves: boolean; seen: Seen }
  | { do: 'note'; content: string }
  | { do: 'change'; status: 'open' | 'resolved'; seen: Seen }
  | { do: 'rank'; priority: 'low' | 'medium' | 'high' }
  | { do: 'merge'; into: string }

function send(id: string, act: Act): Promise<{ ticket: DeskTicket }> {
  if (act.do === 'assign') return call(assignTicket, { id, from: act.from, to: act.to })
  if (act.do === 'reply') return call(replyToTicket, { id, content: act.content, resolves: act.resolves, ...act.seen })
  if (act.do === 'note') return call(noteOnTicket, { id, content: act.content })
  if (act.do === 'merge') return call(mergeTicket, { id, into: act.into })
  if (act.do === 'rank') return call(changeDeskTicket, { id, priority: act.priority })
  return call(changeDeskTicket, { id, status: act.status, ...act.seen })
}

/** Sends an action, and refetches board and ticket after every outcome; a form shows its refusal itself. */
export function useAct(id: string, { isForm = false } = {}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (act: Act) => (await send(id, act)).ticket,
    onSuccess: (ticket) => queries.setQueryData(deskTicketQuery(id).queryKey, ticket),
    onError: (error) => {
      if (!isForm) toast.refused(t(error.message))
      return queries.invalidateQueries({ queryKey: deskTicketQuery(id).queryKey })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listKey] }),
  })
}

/** Sends a file to the member. Refetches board and ticket after every outcome. */
export function useAttaching(id: string, onProgress: (share: number) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, signal }: { file: File; signal: AbortSignal }) =>
      (await upload(attachToTicket, file, { places: { id }, signal, onProgress })).ticket,
    onSuccess: (ticket) => queries.setQueryData(deskTicketQuery(id).queryKey, ticket),
    onSettled: () => queries.invalidateQueries({ queryKey: [listKey] }),
  })
}

/** Marks a displayed ticket as read. */
export function useSeen({ _id, is_unread }: Pick<DeskTicket, '_id' | 'is_unread'>): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!is_unread) return
    call(markTicketRead, { id: _id })
      .then(() => queries.invalidateQueries({ queryKey: [listKey] }))
      .then(() => queries.invalidateQueries({ queryKey: deskTicketQuery(_id).queryKey }))
      // The unread mark stays until the ticket is next opened.
      .catch(() => undefined)
  }, [_id, is_unread, queries])
}

export type CannedChange =
  | ({ do: 'add' } & CallInput<typeof addCannedReply>)
  | ({ do: 'change' } & CallInput<typeof changeCannedReply>)
  | ({ do: 'archive' } & CallInput<typeof archiveCannedReply>)

export function useCannedChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ do: what, ...input }: CannedChange) => {
      if (what === 'add') return (await call(addCannedReply, input as CallInput<typeof addCannedReply>)).replies
      if (what === 'change')
        return (await call(changeCannedReply, input as CallInput<typeof changeCannedReply>)).replies
      return (await call(archiveCannedReply, input as CallInput<typeof archiveCannedReply>)).replies
    },
    onSuccess: (replies) => queries.setQueryData(cannedQuery.queryKey, replies),
    // A colleague may have changed them.
    onError: () => queries.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
}
