import { limits } from '@atrium/contract/limits.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { Button, Group, SegmentedControl } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Select } from '../../ui/fields/select.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AttachDialog } from './attach-dialog.tsx'
import parts from './ticket-desk.module.css'
import { type Act, cannedQuery, useAct } from './use-desk-tickets.ts'

type Kind = 'reply' | 'note'

/** An answer to the member or an internal note; the form prevents confusing the two. */
export function AnswerBox({ ticket }: { ticket: DeskTicket }) {
  const { t } = useTranslation()
  const act = useAct(ticket._id)
  const [kind, setKind] = useState<Kind>('reply')
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isAttaching, setAttaching] = useState(false)
  useUnsavedGuard({ isDirty: content.trim() !== '', onLeave: () => setContent('') })
  const send = (made: Act) => {
    if (content.trim() === '') return setProblem(ticketTexts.messageMissing)
    // Keeps text typed after sending.
    act.mutate(made, { onSuccess: () => setContent((now) => (now === content ? '' : now)) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(kind === 'note' ? { do: 'note', content } : { do: 'reply', content, resolves: false })
  }
  const label = kind === 'note' ? t('Internal note') : t('Reply to {{name}}', { name: ticket.member.name })
  return (
    <form className={parts.answer} onSubmit={submit} noValidate aria-label={t('Answer')}>
      <div className={parts.answerBar}>
        <SegmentedControl
          size="xs"
          aria-label={t('What it is')}
          value={kind}
          onChange={(value) => setKind(value === 'note' ? 'note' : 'reply')}
          data={[
            { value: 'reply', label: t('Reply') },
            { value: 'note', label: t('Note') },
          ]}
        />
        <Canned onChoose={(text) => setContent((before) => (before.trim() === '' ? text : `${before}\n\n${text}`))} />
      </div>
      <Textarea
        label={label}
        description={kind === 'note' ? t('The member never sees this.') : undefined}
        autosize
        minRows={3}
        maxRows={14}
        charsMax={limits.ticketMessageCharsMax}
        value={content}
        error={problem && t(problem)}
        onChange={(event) => {
          setContent(event.currentTarget.value)
          setProblem(null)
        }}
      />
      <Group justify="flex-end" gap="sm">
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
              disabled={act.isPending}
              onClick={() => send({ do: 'reply', content, resolves: true })}
            >
              {t('Send and resolve')}
            </Button>
          </>
        )}
        <Button type="submit" size="xs" loading={act.isPending}>
          {kind === 'note' ? t('Keep note') : t('Send reply')}
        </Button>
      </Group>
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
