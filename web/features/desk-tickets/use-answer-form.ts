import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { seenOf, useAct } from './use-desk-tickets.ts'

type Values = { kind: 'reply' | 'note'; content: string; resolves: boolean }
const isWritten = ({ content }: Values) => content.trim() !== ''

/** The answer to a ticket. One that is being written stays when the ticket is closed or merged meanwhile. */
export function useAnswerForm(ticket: DeskTicket) {
  const act = useAct(ticket._id, { isForm: true })
  const form = useCallForm({
    start: { kind: 'reply', content: '', resolves: false } as Values,
    labels: { content: 'Answer' },
    isEdited: isWritten,
    check: (values) => (isWritten(values) ? {} : { content: [ticketTexts.messageMissing] }),
    send: ({ kind, content, resolves }) =>
      act.mutateAsync(kind === 'note' ? { do: kind, content } : { do: kind, content, resolves, seen: seenOf(ticket) }),
    startAfter: (sent) => ({ ...sent, content: '' }),
    afterDone: 'anew',
  })
  return { ...form, isShown: ticket.state !== 'closed' || form.isDirty }
}
