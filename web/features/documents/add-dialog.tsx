import { documentTexts } from '@atrium/contract/document-texts.ts'
import type { FileCategory } from '@atrium/contract/documents.ts'
import { uploadPurposes } from '@atrium/contract/files.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUpload } from '../../api/use-upload.ts'
import { DateInput } from '../../ui/date-input.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { requiredLabel } from '../../ui/required-label.ts'
import { Select } from '../../ui/select.tsx'
import { useTellDirty } from '../../ui/use-tell-dirty.ts'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'
import parts from './documents.module.css'
import { useAddDocuments } from './use-documents.ts'

/** What is being added: a paper of a category, maybe one that staff asked for. */
export type Adding = { category: FileCategory; request?: string | undefined; validDocument?: string | null | undefined }

type AddDialogProps = { adding: Adding | null; onClose: () => void; onAdded: () => void }

export function AddDialog({ adding, onClose, onAdded }: AddDialogProps) {
  const { t } = useTranslation()
  const title = t('Add a file: {{name}}', { name: adding?.category.name ?? '' })
  return (
    <FormDialog title={title} size={560} isOpen={adding !== null} onClose={onClose}>
      {(tools) => adding && <AddForm adding={adding} tools={tools} onAdded={onAdded} />}
    </FormDialog>
  )
}

type Problems = { valid?: string; expiry?: string; file?: string }

function AddForm({ adding, tools, onAdded }: { adding: Adding; tools: DialogTools; onAdded: () => void }) {
  const { t } = useTranslation()
  const { category, request } = adding
  const { form, tell } = useWrongFields()
  const [valid, setValid] = useState(adding.validDocument ?? only(category.valid_documents))
  const [expiresOn, setExpiresOn] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const file = useUpload('document')
  const adds = useAddDocuments(() => {
    tools.onSaved()
    onAdded()
  })
  useTellDirty(file.picked !== null, tools.onDirty)
  // What is wrong with a file stands under it, and is a warning as the specification has it.
  useEffect(() => {
    if (file.error) notice.warning(t(file.error))
  }, [file.error, t])
  const chosen = category.valid_documents.find(({ _id }) => _id === valid)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (adds.isPending || file.isSending) return
    const found: Problems = {
      ...(category.valid_documents.length > 0 && !chosen && { valid: documentTexts.validMissing }),
      ...(chosen?.expires &&
        !isDay(expiresOn) && { expiry: documentTexts[expiresOn ? 'expiryUnreadable' : 'expiryMissing'] }),
      ...(!file.fileId && { file: documentTexts.fileUnknown }),
    }
    setProblems(found)
    tell([found.valid && t('Document'), found.expiry && t('Valid until'), found.file && t('File')].filter(isText))
    if (!file.fileId || Object.keys(found).length > 0) return
    adds.mutate({
      documents: [file.fileId],
      category: category._id,
      ...(chosen && { valid_document: chosen._id }),
      ...(chosen?.expires && { expires_on: expiresOn }),
      ...(request && { request }),
    })
  }
  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate>
      {category.description && <p className={parts.help}>{category.description}</p>}
      {category.valid_documents.length > 0 && (
        <Select
          label={t('Document')}
          labelProps={requiredLabel}
          required
          withAsterisk={false}
          data={category.valid_documents.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={valid}
          error={problems.valid && t(problems.valid)}
          onChange={(next) => setValid(next)}
        />
      )}
      {chosen?.expires && (
        <DateInput
          label={t('Valid until')}
          labelProps={requiredLabel}
          required
          withAsterisk={false}
          keepsText
          value={expiresOn}
          error={problems.expiry && t(problems.expiry)}
          onChange={setExpiresOn}
        />
      )}
      <DropZone
        label={t('File')}
        rules={uploadPurposes.document}
        picked={file.picked}
        error={file.error ?? problems.file}
        isResting={file.isResting && file.picked === null}
        onPick={(picked) => void file.pick(picked)}
        onRemove={file.remove}
        onResume={file.isBroken ? () => void file.resume() : undefined}
      />
      <div className={parts.buttons}>
        <Button variant="default" onClick={tools.onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={adds.isPending} disabled={file.isSending}>
          {file.isSending ? t('Sending the file') : t('Add the file')}
        </Button>
      </div>
    </form>
  )
}

const isText = (value: string | undefined): value is string => Boolean(value)

/** Where there is one choice it is made. */
const only = (papers: FileCategory['valid_documents']): string | null =>
  papers.length === 1 ? (papers[0]?._id ?? null) : null
