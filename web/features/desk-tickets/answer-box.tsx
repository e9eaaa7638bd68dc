import { limits } from '@atrium/contract/limits.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AttachDialog } from './attach-dialog.tsx'
import parts from './ticket-desk.module.css'
import { useAnswerForm } from './use-answer-form.ts'
import { cannedQuery } from './use-desk-tickets.ts'

/** An answer to the member or an internal note; the form prevents confusing the two. */
export function AnswerBox({ ticket }: { ticket: DeskTicket }) {
  const { t } = useTranslation()
  const form = useAnswerForm(ticket)
  const { kind, content } = form.values
  const [isAttaching, setAttaching] = useState(false)
  useUnsavedGuard({ isDirty: form.isDirty, onLeave: form.undo })
  if (!form.isShown && !isAttaching) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit({ resolves: false })
  }
  const label = kind === 'note' ? t('Internal note') : t('Reply to {{name}}', { name: ticket.member.name })
  return (
    <form ref={form.element} className={parts.answer} onSubmit={submit} noValidate aria-label={t('Answer')}>
      <div data-group="sm" data-align="center" data-justify="between">
        <SegmentedControl
          size="xs"
          aria-label={t('Reply or note')}
          value={kind}
          onChange={(value) => form.change({ kind: value === 'note' ? 'note' : 'reply' })}
          data={[
            { value: 'reply', label: t('Reply') },
            { value: 'note', label: t('Note') },
          ]}
        />
        <Canned onChoose={(text) => form.change({ content: content.trim() === '' ? text : `${content}\n\n${text}` })} />
      </div>
      <Textarea
        label={label}
        description={kind === 'note' ? t('The member never sees this.') : undefined}
        autosize
        minRows={3}
        maxRows={14}
        charsMax={limits.ticketMessageCharsMax}
        value={content}
        error={form.errorOf('content')}
        onChange={(event) => form.change({ content: event.currentTarget.value })}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <div data-group="sm" data-align="center" data-justify="end">
        {kind === 'reply' && (
          <>
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconPaperclip size={16} stroke={1.5} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => setAttaching(true)}
            >
              {t('Attach a file')}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={form.isSubmitting}
              onClick={() => form.submit({ resolves: true })}
            >
              {t('Send and resolve')}
            </Button>
          </>
        )}
        <Button type="submit" size="xs" loading={form.isSubmitting}>
          {kind === 'note' ? t('Save note') : t('Send reply')}
        </Button>
      </div>
      <AttachDialog ticket={ticket} isOpen={isAttaching} onClose={() => setAttaching(false)} />
    </form>
  )
}

function Canned({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation()
  const { data: replies = [] } = useQuery(cannedQuery)
  if (replies.length === 0) return null
  return (
    <Select
      size="xs"
      aria-label={t('Canned reply')}
      placeholder={t('Canned reply')}
      searchable
      data={replies.map(({ _id, name }) => ({ value: _id, label: name }))}
      value={null}
      onChange={(id) => {
        const chosen = replies.find(({ _id }) => _id === id)
        if (chosen) onChoose(chosen.content)
      }}
    />
  )
}
