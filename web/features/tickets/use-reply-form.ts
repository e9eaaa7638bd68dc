import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useReply } from './use-ticket-changes.ts'
import type { Ticket } from './use-tickets.ts'

export type Answered = Pick<Ticket, '_id' | 'merged_into'>

const isWritten = ({ content }: { content: string }) => content.trim() !== ''

/** The form of an answer. Staff may merge the ticket meanwhile: what is typed then goes to the ticket that continues it. */
export function useReplyForm({ _id, merged_into }: Answered, onDone?: (ticketId: string) => void) {
  const { t } = useTranslation()
  const ticketId = merged_into?._id ?? _id
  const reply = useReply(ticketId)
  const form = useCallForm({
    start: { content: '' },
    // The specification's own toast names it.
    labels: { content: '' },
    fieldFor: () => 'content',
    isEdited: isWritten,
    check: (values) => {
      if (isWritten(values)) return {}
      toast.refused(t(ticketTexts.messageMissing))
      return { content: [ticketTexts.messageMissing] }
    },
    send: ({ content }) => reply.mutateAsync({ type: 'message', content }),
    startAfter: () => ({ content: '' }),
    onDone: () => onDone?.(ticketId),
    afterDone: 'anew',
  })
  /** A merged ticket takes no further answer once the one that was begun is sent or cleared. */
  return { ...form, ticketId, isShown: !merged_into || form.isDirty || form.isSubmitting }
}
