import type { CallInput } from '@atrium/contract/call.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { createTicket, readTicket, respondToTicket, updateTicket } from '@atrium/contract/tickets/calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/transport.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { type Ticket, ticketsKey } from './use-tickets.ts'

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
