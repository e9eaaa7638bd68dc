import type { CallInput } from '@atrium/contract/call.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { createTicket, readTicket, respondToTicket, updateTicket } from '@atrium/contract/tickets/calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../api/transport.ts'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ticketsKey } from './tickets-key.ts'
import type { Ticket } from './use-tickets.ts'

/** Marks a ticket as read once it is displayed. */
export function useSeen({ _id, is_unread }: Ticket): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!is_unread) return
    call(readTicket, { _id })
      .then(() => queries.invalidateQueries({ queryKey: ticketsKey }))
      // The unread mark remains until the ticket is displayed again.
      .catch(() => undefined)
  }, [_id, is_unread, queries])
}

export function useFiling() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: CallInput<typeof createTicket>) => call(createTicket, input),
    onSuccess: ({ msg }) => {
      toast.done(msg.map((line) => t(line)).join(' '), limits.ticketNoticeMs)
      return queries.invalidateQueries({ queryKey: ticketsKey })
    },
  })
}

type Change = { status: 'open' | 'taken' | 'resolved' } | { priority: 'low' | 'medium' | 'high' }

/** Closes or reopens a ticket, marks it as in progress or sets its priority. Refetches after success and failure. */
export function useTicketChange({ _id, ticket }: Pick<Ticket, '_id' | 'ticket'>) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => call(updateTicket, { _id, ...change }),
    onSuccess: (_, change) => {
      const isClosed = 'status' in change && change.status === 'resolved'
      toast.done(t(isClosed ? ticketTexts.resolved : ticketTexts.updated, { ticket }), limits.complaintNoticeMs)
    },
    onError: () => toast.warning(t(ticketTexts.notUpdated)),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ticketsKey })
      focusHeadingWhenLost()
    },
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

/** The allowed attachments, as the specification lists them. */
export const attachmentRules = uploadPurposes.ticket
