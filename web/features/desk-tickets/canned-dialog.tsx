import type { CannedReply } from '@atrium/contract/desk-tickets.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { FormBones } from '../../ui/form-bones.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import parts from './ticket-desk.module.css'
import { cannedQuery, useCannedChange } from './use-desk-tickets.ts'

/** What is answered often, kept for everybody who answers. */
export function CannedDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={640}
      title={t('Canned replies')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {edited ? (
        <CannedForm key={edited === 'new' ? 'new' : edited._id} edited={edited} onDone={() => setEdited(null)} />
      ) : (
        <CannedList onEdit={setEdited} />
      )}
    </Modal>
  )
}

function CannedList({ onEdit }: { onEdit: (reply: CannedReply | 'new') => void }) {
  const { t } = useTranslation()
  const { data } = useQuery(cannedQuery)
  const change = useCannedChange()
  if (!data) return <FormBones label={t('Loading')} />
  return (
    <div className={parts.form}>
      {data.length === 0 && <p>{t('There are none yet.')}</p>}
      <ul className={parts.list}>
        {data.map((reply) => (
          <li key={reply._id}>
            <span>{reply.name}</span>
            <Group gap="xs" wrap="nowrap">
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
                disabled={change.isPending}
                onClick={() => change.mutate({ do: 'archive', id: reply._id })}
              >
                {t('Archive')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button size="xs" onClick={() => onEdit('new')}>
          {t('Add canned reply')}
        </Button>
      </Group>
    </div>
  )
}

function CannedForm({ edited, onDone }: { edited: CannedReply | 'new'; onDone: () => void }) {
  const { t } = useTranslation()
  const change = useCannedChange()
  const before = edited === 'new' ? { name: '', content: '' } : edited
  const [name, setName] = useState(before.name)
  const [content, setContent] = useState(before.content)
  const errors = change.error instanceof ApiError ? change.error.fieldErrors : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const values = { name, content }
    change.mutate(edited === 'new' ? { do: 'add', ...values } : { do: 'change', id: edited._id, ...values }, {
      onSuccess: onDone,
    })
  }
  return (
    <form className={parts.form} onSubmit={submit} noValidate aria-label={t('Canned reply')}>
      <TextInput
        data-autofocus
        label={t('Name')}
        charsMax={limits.cannedReplyNameCharsMax}
        value={name}
        error={errors.name?.[0] && t(errors.name[0])}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('Reply')}
        autosize
        minRows={4}
        maxRows={12}
        charsMax={limits.ticketMessageCharsMax}
        value={content}
        error={errors.content?.[0] && t(errors.content[0])}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" size="xs" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" size="xs" loading={change.isPending}>
          {t('Save')}
        </Button>
      </Group>
    </form>
  )
}
