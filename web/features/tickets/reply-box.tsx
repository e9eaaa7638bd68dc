import { limits } from '@atrium/contract/limits.ts'
import { Button } from '@mantine/core'
import { IconPaperclip, IconSend } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AttachmentDialog } from './attachment-dialog.tsx'
import { useReplyForm } from './use-reply-form.ts'
import type { Ticket } from './use-tickets.ts'

/** The member's answer. Answering a closed ticket reopens it. */
export function ReplyBox({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  const [isAttaching, setAttaching] = useState(false)
  const navigate = useNavigate()
  const form = useReplyForm(ticket, (id) => {
    if (id !== ticket._id) void navigate({ to: '/support', search: { id } as never })
  })
  useUnsavedGuard({ isDirty: form.isDirty, onLeave: form.undo })
  if (!form.isShown && !isAttaching) return null
  const { merged_into } = ticket
  return (
    <form ref={form.element} data-stack="md" onSubmit={form.onSubmit} noValidate aria-label={t('Reply')}>
      {merged_into && (
        <Callout meaning="blue">
          {t('Your reply is sent to ticket {{ticket}}.', { ticket: merged_into.ticket })}
        </Callout>
      )}
      {!merged_into && ticket.status === 'resolved' && (
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
      <AttachmentDialog ticketId={form.ticketId} isOpen={isAttaching} onClose={() => setAttaching(false)} />
    </form>
  )
}
