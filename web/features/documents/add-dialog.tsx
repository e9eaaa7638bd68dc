import type { FileCategory } from '@atrium/contract/documents/calls.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { fieldsBy } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useUpload } from '../../forms/use-upload.ts'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Select } from '../../ui/fields/select.tsx'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useReportDirty } from '../../ui/forms/use-report-dirty.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './documents.module.css'
import type { Adding } from './use-adding.ts'
import { useAddDocuments } from './use-documents.ts'

type AddDialogProps = { adding: Adding | null; onClose: () => void; onAdded: () => void }

export function AddDialog({ adding, onClose, onAdded }: AddDialogProps) {
  const { t } = useTranslation()
  const title = t('Add a file: {{name}}', { name: adding?.category.name ?? '' })
  return (
    // Its opener is disabled after an upload, and takes no focus.
    <FormDialog title={title} size={560} isOpen={adding !== null} onClose={onClose} onGone={focusHeadingWhenLost}>
      {(tools) => adding && <AddForm adding={adding} tools={tools} onAdded={onAdded} />}
    </FormDialog>
  )
}

const labels = { valid: 'Document', expires_on: 'Valid until', file: 'File' }

function AddForm({ adding, tools, onAdded }: { adding: Adding; tools: DialogTools; onAdded: () => void }) {
  const { t } = useTranslation()
  const { category, request } = adding
  const file = useUpload('document')
  const adds = useAddDocuments(() => {
    tools.onSaved()
    onAdded()
  })
  const chosenIn = (valid: string | null) => category.valid_documents.find(({ _id }) => _id === valid)
  const form = useCallForm({
    start: { valid: adding.validDocument ?? only(category.valid_documents), expires_on: '' },
    labels,
    fieldFor: fieldsBy(labels, { valid_document: 'valid', documents: 'file' }),
    check: ({ valid, expires_on: day }) => ({
      ...(category.valid_documents.length > 0 && !chosenIn(valid) && { valid: [documentTexts.validMissing] }),
      ...(chosenIn(valid)?.expires &&
        !isDay(day) && { expires_on: [documentTexts[day ? 'expiryUnreadable' : 'expiryMissing']] }),
      ...(!file.fileId && !file.isSending && { file: [documentTexts.fileUnknown] }),
    }),
    isWaiting: file.isSending,
    send: ({ valid, expires_on }) => {
      const chosen = chosenIn(valid)
      return adds.mutateAsync({
        documents: file.fileId ? [file.fileId] : [],
        category: category._id,
        ...(chosen && { valid_document: chosen._id }),
        ...(chosen?.expires && { expires_on }),
        ...(request && { request }),
      })
    },
  })
  useReportDirty(file.picked !== null || form.isDirty, tools.onDirty)
  // The specification also requires a warning notification for a file error.
  useEffect(() => {
    if (file.error) toast.warning(t(file.error))
  }, [file.error, t])
  const { values, errorOf, change } = form
  const chosen = chosenIn(values.valid)
  return (
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate>
      {category.description && <p className={parts.help}>{category.description}</p>}
      {category.valid_documents.length > 0 && (
        <Select
          label={t('Document')}
          labelProps={requiredLabel}
          required
          withAsterisk={false}
          data={category.valid_documents.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={values.valid}
          error={errorOf('valid')}
          onChange={(valid) => change({ valid })}
        />
      )}
      {chosen?.expires && (
        <DateInput
          label={t('Valid until')}
          labelProps={requiredLabel}
          required
          withAsterisk={false}
          keepsText
          value={values.expires_on}
          error={errorOf('expires_on')}
          onChange={(expires_on) => change({ expires_on })}
        />
      )}
      <DropZone
        label={t('File')}
        rules={uploadPurposes.document}
        picked={file.picked}
        error={file.error ?? errorOf('file')}
        isPaused={file.isPaused && file.picked === null}
        onPick={(picked) => void file.pick(picked)}
        onRemove={file.remove}
        onResume={file.isBroken ? () => void file.resume() : undefined}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <div data-group="md" data-align="center" data-justify="end">
        <Button variant="default" onClick={tools.onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={form.isSubmitting} disabled={file.isSending}>
          {file.isSending ? t('Sending the file') : t('Add the file')}
        </Button>
      </div>
    </form>
  )
}

/** Preselects the only choice. */
const only = (validDocuments: FileCategory['valid_documents']): string | null =>
  validDocuments.length === 1 ? (validDocuments[0]?._id ?? null) : null
