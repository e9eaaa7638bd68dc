import { limits } from '@atrium/contract/limits.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { Button } from '@mantine/core'
import { IconPaperclip, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AttachmentDialog } from './attachment-dialog.tsx'
import { useReply } from './use-ticket-changes.ts'
import type { Ticket } from './use-tickets.ts'

const isWritten = ({ content }: { content: string }) => content.trim() !== ''

/** The member's answer. Answering a closed ticket reopens it. */
export function ReplyBox({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  const [isAttaching, setAttaching] = useState(false)
  const reply = useReply(ticket._id)
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
    afterDone: 'anew',
  })
  useUnsavedGuard({ isDirty: form.isDirty, onLeave: form.undo })
  return (
    <form ref={form.element} data-stack="md" onSubmit={form.onSubmit} noValidate aria-label={t('Reply')}>
      {ticket.status === 'resolved' && (
        <Callout meaning="blue">{t('This ticket is closed. Your reply opens it again.')}</Callout>
      )}
      <UnsentInput
        key={ticket._id}
        form={`reply ${ticket._id}`}
        values={form.values.content}
        isDirty={form.isDirty}
        onRestore={(content) => form.change({ content })}
      />
      <Textarea
        label={t('Reply')}
        autosize
        minRows={3}
        maxRows={12}
        charsMax={limits.ticketMessageCharsMax}
        value={form.values.content}
        error={form.errorOf('content')}
        onChange={(event) => form.change({ content: event.currentTarget.value })}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <div data-group="sm" data-justify="between">
        <Button
          variant="default"
          leftSection={<IconPaperclip size={18} stroke={1.5} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setAttaching(true)}
        >
          {t('Add Attachment')}
        </Button>
        <Button type="submit" loading={form.isSubmitting} leftSection={<IconSend size={18} stroke={1.5} aria-hidden />}>
          {t('Send Message')}
        </Button>
      </div>
      <AttachmentDialog ticketId={ticket._id} isOpen={isAttaching} onClose={() => setAttaching(false)} />
    </form>
  )
}
