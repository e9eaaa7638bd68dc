import { limits } from '@atrium/contract/limits.ts'
import type { CannedReply } from '@atrium/contract/tickets/desk-calls.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-desk.module.css'
import { useArchiving, useCannedForm } from './use-canned-form.ts'
import { cannedQuery } from './use-desk-tickets.ts'

/** Canned answers, shared by all support staff. */
export function CannedDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null)
  return (
    <FormDialog
      title={t('Canned replies')}
      size={640}
      isOpen={isOpen}
      onClose={onClose}
      // Opened again, it lists the replies as they are then: a form begun before a colleague's change is refused for ever.
      onGone={() => setEdited(null)}
    >
      {(tools) =>
        edited ? (
          <CannedForm
            key={edited === 'new' ? 'new' : edited._id}
            edited={edited}
            tools={tools}
            onDone={() => setEdited(null)}
          />
        ) : (
          <CannedList tools={tools} onEdit={setEdited} />
        )
      }
    </FormDialog>
  )
}

type CannedListProps = { tools: DialogTools; onEdit: (reply: CannedReply | 'new') => void }

function CannedList({ tools, onEdit }: CannedListProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(cannedQuery)
  const { archive, isPending } = useArchiving(tools)
  if (!data && error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <FormSkeleton label={t('Loading')} />
  return (
    <div className={parts.form} data-stack="lg">
      {data.length === 0 && <p>{t('There are none yet.')}</p>}
      <ul className={parts.list} data-stack="sm">
        {data.map((reply) => (
          <li key={reply._id}>
            <span>{reply.name}</span>
            <div data-group="xs" data-nowrap data-align="center">
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('Change {{name}}', reply)}
                onClick={() => onEdit(reply)}
              >
                {t('Change')}
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('Archive {{name}}', reply)}
                disabled={isPending}
                onClick={() => archive(reply)}
              >
                {t('Archive')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <div data-group="md" data-align="center" data-justify="end">
        <Button size="xs" onClick={() => onEdit('new')}>
          {t('Add canned reply')}
        </Button>
      </div>
    </div>
  )
}

function CannedForm(props: Parameters<typeof useCannedForm>[0]) {
  const { t } = useTranslation()
  const form = useCannedForm(props)
  return (
    <DialogForm form={form} label={t('Canned reply')} submit={t('Save')} onCancel={form.cancel}>
      <TextInput
        data-autofocus
        label={t('Name')}
        charsMax={limits.cannedReplyNameCharsMax}
        value={form.values.name}
        error={form.errorOf('name')}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('Reply')}
        autosize
        minRows={4}
        maxRows={12}
        charsMax={limits.ticketMessageCharsMax}
        value={form.values.content}
        error={form.errorOf('content')}
        onChange={(event) => form.change({ content: event.currentTarget.value })}
      />
    </DialogForm>
  )
}
