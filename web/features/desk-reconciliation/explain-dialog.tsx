import { limits } from '@atrium/contract/limits.ts'
import type { Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { kindLabels } from './reconciliation-labels.ts'
import { useExplain } from './use-reconciliation.ts'

type ExplainDialogProps = { mismatch: Mismatch; isOpen: boolean; onClose: () => void }

/** Records the explanation of a mismatch for later audits. It changes no balance. */
export function ExplainDialog({ mismatch, isOpen, onClose }: ExplainDialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('Explain: {{what}}', { what: t(kindLabels[mismatch.kind].label) })}
      size={480}
      isOpen={isOpen}
      onClose={onClose}
    >
      {(tools) => <ExplainForm mismatch={mismatch} {...tools} />}
    </FormDialog>
  )
}

function ExplainForm({ mismatch, onCancel, onSaved, onDirty }: DialogTools & { mismatch: Mismatch }) {
  const { t } = useTranslation()
  const explain = useExplain()
  // The amounts at opening: a comparison may replace them while the explanation is written.
  const [{ _id: id, revision: seen }] = useState(mismatch)
  const form = useCallForm({
    start: { note: '' },
    labels: { note: 'Explanation' },
    check: ({ note }) => (note.trim() === '' ? { note: [texts.fieldsMissing] } : {}),
    send: ({ note }) => explain.mutateAsync({ id, note: note.trim(), seen }),
    onDone: () => {
      toast.done(t('The difference is explained.'))
      onSaved()
    },
    onDirty,
  })
  return (
    <DialogForm form={form} submit={t('Save the explanation')} cancel={t('Not now')} onCancel={onCancel}>
      <Textarea
        label={t('Explanation')}
        description={t('It is shown beside the difference with your name, and in the audit log. No money moves.')}
        required
        autosize
        minRows={3}
        maxRows={8}
        charsMax={limits.commentCharsMax}
        data-autofocus
        value={form.values.note}
        error={form.errorOf('note')}
        onChange={(event) => form.change({ note: event.currentTarget.value })}
      />
    </DialogForm>
  )
}
