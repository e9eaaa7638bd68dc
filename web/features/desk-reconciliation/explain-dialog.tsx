import type { Mismatch } from '@atrium/contract/desk-reconciliation.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Group } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import parts from './reconciliation.module.css'
import { kindWords } from './reconciliation-words.ts'
import { useExplain } from './use-reconciliation.ts'

type ExplainDialogProps = { mismatch: Mismatch; isOpen: boolean; onClose: () => void }

/** Why it is so, for whoever reads the books later. Nothing is moved by it. */
export function ExplainDialog({ mismatch, isOpen, onClose }: ExplainDialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('Explain: {{what}}', { what: t(kindWords[mismatch.kind].label) })}
      size={480}
      isOpen={isOpen}
      onClose={onClose}
    >
      {(tools) => <ExplainForm id={mismatch._id} {...tools} />}
    </FormDialog>
  )
}

function ExplainForm({ id, onCancel, onSaved, onDirty }: DialogTools & { id: string }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const explain = useExplain()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = note.trim() === ''
    setMissing(isEmpty)
    if (isEmpty || explain.isPending) return
    explain.mutate(
      { id, note: note.trim() },
      {
        onSuccess: () => {
          notice.done(t('The difference is explained.'))
          onSaved()
        },
      },
    )
  }
  return (
    <form className={parts.form} onSubmit={submit} noValidate>
      <Textarea
        label={t('What you found out')}
        description={t('It is shown beside the difference with your name, and in the audit log. No money moves.')}
        required
        autosize
        minRows={3}
        maxRows={8}
        charsMax={limits.commentCharsMax}
        data-autofocus
        value={note}
        error={isMissing && t(texts.fieldsMissing)}
        onChange={(event) => {
          setNote(event.currentTarget.value)
          onDirty(event.currentTarget.value !== '')
        }}
      />
      {explain.error && <Callout meaning="red">{t(explain.error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          {t('Not now')}
        </Button>
        <Button type="submit" loading={explain.isPending}>
          {t('Save the explanation')}
        </Button>
      </Group>
    </form>
  )
}
