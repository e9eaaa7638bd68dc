import { limits } from '@atrium/contract/limits.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { Button } from '@mantine/core'
import { IconPaperclip, IconSend } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { notice } from '../../ui/feedback/notice.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { KeptEntries } from '../../ui/lists/kept-entries.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AttachmentDialog } from './attachment-dialog.tsx'
import parts from './ticket-parts.module.css'
import { useReply } from './use-ticket-changes.ts'
import type { Ticket } from './use-tickets.ts'

/** The member's answer. Answering a closed ticket reopens it. */
export function ReplyBox({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isAttaching, setAttaching] = useState(false)
  const reply = useReply(ticket._id)
  useUnsavedGuard({ isDirty: content.trim() !== '', onLeave: () => setContent('') })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (content.trim() === '') {
      setProblem(ticketTexts.messageMissing)
      notice.refused(t(ticketTexts.messageMissing))
      return
    }
    reply.mutate(
      { type: 'message', content },
      {
        // Keeps text typed since the submission.
        onSuccess: () => setContent((now) => (now === content ? '' : now)),
        onError: (error) => setProblem(error.message),
      },
    )
  }
  return (
    <form className={parts.reply} onSubmit={send} noValidate aria-label={t('Reply')}>
      {ticket.status === 'resolved' && (
        <Callout meaning="blue">{t('This ticket is closed. Your reply opens it again.')}</Callout>
      )}
      <KeptEntries
        key={ticket._id}
        form={`reply ${ticket._id}`}
        values={content}
        isDirty={content.trim() !== ''}
        onRestore={setContent}
      />
      <Textarea
        label={t('Reply')}
        autosize
        minRows={3}
        maxRows={12}
        charsMax={limits.ticketMessageCharsMax}
        value={content}
        error={problem && t(problem)}
        onChange={(event) => {
          setContent(event.currentTarget.value)
          setProblem(null)
        }}
      />
      <div className={parts.replyActions}>
        <Button
          variant="default"
          leftSection={<IconPaperclip size={18} stroke={1.5} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setAttaching(true)}
        >
          {t('Add Attachment')}
        </Button>
        <Button type="submit" loading={reply.isPending} leftSection={<IconSend size={18} stroke={1.5} aria-hidden />}>
          {t('Send Message')}
        </Button>
      </div>
      <AttachmentDialog ticketId={ticket._id} isOpen={isAttaching} onClose={() => setAttaching(false)} />
    </form>
  )
}
