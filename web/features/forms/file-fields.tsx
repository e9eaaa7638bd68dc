import type { FormField } from '@atrium/contract/forms/definition.ts'
import { fileRulesOf } from '@atrium/contract/forms/field-files.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { ActionIcon } from '@mantine/core'
import { IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useUpload } from '../../forms/use-upload.ts'
import { focusWhenLost } from '../../ui/feedback/focus-heading.ts'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { fileProblem } from '../../ui/files/file-rules.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './form.module.css'
import type { FormStore } from './form-store.ts'
import { type FieldProps, helpOf, listOf, textOf, useField } from './use-field.ts'

/** Uploads a picked file immediately and blocks the form until it has arrived. A preview uploads nothing. */
export function useFormUpload(store: FormStore, field: FormField, onSent: (id: string) => void) {
  const { t } = useTranslation()
  const name = field.input_name
  const picked = useRef('')
  const [problem, setProblem] = useState<string | undefined>()
  const keep = (id: string) => {
    store.fileNames.set(id, picked.current)
    onSent(id)
  }
  const upload = useUpload('form', ({ _id }) => keep(_id))
  const isUnderWay = upload.isSending || upload.isBroken
  useEffect(() => {
    store.hold(name, isUnderWay)
    return () => store.hold(name, false)
  }, [store, name, isUnderWay])
  const pick = (file: File) => {
    const found = fileProblem(file, fileRulesOf(field))
    setProblem(found ? t(found.text, found.values) : undefined)
    if (found) return
    picked.current = file.name
    if (store.isPreview) keep(crypto.randomUUID())
    else void upload.pick(file)
  }
  const remove = () => {
    setProblem(undefined)
    upload.remove()
  }
  return { ...upload, pick, remove, problem: problem ?? upload.error }
}

export function FileField({ store, field }: FieldProps) {
  const { t } = useTranslation()
  const { value, errors } = useField(store, field.input_name)
  const upload = useFormUpload(store, field, (id) => store.set(field.input_name, id))
  const id = textOf(value)
  const remove = () => {
    upload.remove()
    store.set(field.input_name, '')
  }
  return (
    <Zone
      field={field}
      upload={upload}
      error={errors[0]}
      onRemove={remove}
      attached={id !== '' && !upload.picked && [{ id, name: nameOf(store, id, t), onRemove: remove }]}
    />
  )
}

export function FilesField({ store, field }: FieldProps) {
  const { t } = useTranslation()
  const name = field.input_name
  const { value, errors } = useField(store, name)
  const ids = listOf(value)
  const upload = useFormUpload(store, field, (id) => {
    store.set(name, [...listOf(store.field(name).value), id])
    upload.remove()
  })
  const most = field.config.count_max ?? formLimits.filesMax
  const files = ids.map((id) => ({
    id,
    name: nameOf(store, id, t),
    onRemove: () =>
      store.set(
        name,
        ids.filter((other) => other !== id),
      ),
  }))
  return (
    <Zone
      field={field}
      upload={upload}
      error={errors[0]}
      onRemove={upload.remove}
      attached={files}
      isFull={ids.length >= most}
    />
  )
}

/** A draft stores only file ids. */
const nameOf = (store: FormStore, id: string, t: (text: string) => string): string =>
  store.fileNames.get(id) ?? t('Previously uploaded file')

type FileRow = { id: string; name: string; onRemove: () => void }
type ZoneProps = {
  field: FormField
  upload: ReturnType<typeof useFormUpload>
  error: string | undefined
  onRemove: () => void
  attached: FileRow[] | false
  isFull?: boolean
}

function Zone({ field, upload, error, onRemove, attached, isFull }: ZoneProps) {
  const { t } = useTranslation()
  const help = helpOf(field)
  const files = attached || []
  // A single file replaces the drop zone; several files are listed above it.
  const hasZone = field.type === 'file' ? files.length === 0 : !isFull
  const said = upload.problem ?? error
  const zone = useRef<HTMLDivElement>(null)
  const removeFile = ({ onRemove }: FileRow) => {
    flushSync(onRemove)
    // The button is gone with its file.
    focusWhenLost(zone.current?.querySelector<HTMLElement>('button:enabled') ?? zone.current)
  }
  return (
    <div ref={zone} data-stack="sm" tabIndex={-1}>
      {!hasZone && <div className={parts.label}>{field.name}</div>}
      {files.map((file) => (
        <div key={file.id} className={parts.file}>
          <IconPaperclip size={18} stroke={1.5} aria-hidden />
          <span className={parts.fileName}>{file.name}</span>
          <ActionIcon aria-label={t('Remove {{name}}', { name: file.name })} onClick={() => removeFile(file)}>
            <IconTrash size={18} stroke={1.5} />
          </ActionIcon>
        </div>
      ))}
      {hasZone && (
        <DropZone
          label={field.name}
          rules={fileRulesOf(field)}
          picked={upload.picked}
          error={said}
          isOptional={!field.config.required}
          isPaused={upload.isPaused && upload.picked === null}
          onPick={upload.pick}
          onRemove={onRemove}
          onResume={upload.isBroken ? () => void upload.resume() : undefined}
        />
      )}
      {!hasZone && said && (
        <p className={parts.error} role="alert">
          {t(said)}
        </p>
      )}
      {!said && help && <p className={parts.help}>{help}</p>}
    </div>
  )
}
