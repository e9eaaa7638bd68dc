import { ActionIcon, Button } from '@mantine/core'
import { IconCamera, IconCheck, IconCloudUpload, IconFileTypePdf, IconTrash, IconX } from '@tabler/icons-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import parts from './drop-zone.module.css'
import type { FileRules } from './file-rules.ts'
import { fileSize } from './format.ts'

/** A picked file on its way: `share` from 0 to 1, `isSent` when the server has it. */
export type PickedFile = { file: File; share: number; isSent: boolean }

type DropZoneProps = {
  label: string
  rules: FileRules
  picked: PickedFile | null
  error?: string | undefined
  /** The form goes without it too. */
  isOptional?: boolean
  /** Sent with the form, not when it is picked. */
  isSentLater?: boolean
  /** Just used: it takes the next file in a moment. */
  isResting?: boolean
  onPick: (file: File) => void
  /** Also while it is being sent, which ends that. */
  onRemove: () => void
  /** Given while the line is broken: goes on where it was. */
  onResume?: (() => void) | undefined
}

/** Takes a file by choosing, dropping, pasting or the camera; shows it with size and progress. */
export function DropZone(props: DropZoneProps) {
  const { label, rules, picked, error, isOptional = false, isSentLater = false, isResting = false, onPick } = props
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !isResting) onPick(file)
  }
  usePaste((event) => take(event.clipboardData?.files), picked === null && !isResting)
  return (
    <div>
      <label htmlFor={id} className={parts.label}>
        {label}
        {!isOptional && (
          <span className={parts.required} aria-hidden>
            {'*'}
          </span>
        )}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        className={parts.visuallyHidden}
        accept={rules.extensions.map((extension) => `.${extension}`).join(',')}
        tabIndex={-1}
        disabled={isResting}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      {picked ? (
        <Picked
          picked={picked}
          isWaiting={isSentLater && !picked.isSent && picked.share === 0}
          onRemove={props.onRemove}
          onResume={props.onResume}
        />
      ) : (
        <Target
          rules={rules}
          isWrong={error !== undefined}
          isResting={isResting}
          onFiles={take}
          onChoose={() => input.current?.click()}
        />
      )}
      {error && (
        <p id={`${id}-error`} className={parts.error} role="alert">
          {t(error)}
        </p>
      )}
    </div>
  )
}

type TargetProps = {
  rules: FileRules
  isWrong: boolean
  isResting: boolean
  onFiles: (files: FileList) => void
  onChoose: () => void
}

function Target({ rules, isWrong, isResting, onFiles, onChoose }: TargetProps) {
  const { t } = useTranslation()
  const camera = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer.files)
  }
  return (
    <>
      <button
        type="button"
        className={`${parts.zone} ${isOver ? parts.over : ''} ${isWrong ? parts.wrong : ''}`}
        disabled={isResting}
        onClick={onChoose}
        onDrop={drop}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
      >
        <IconCloudUpload size={24} stroke={1.5} aria-hidden />
        <span>
          <strong>{t('Choose a file')}</strong> {t('or drop or paste it here')}
        </span>
        <span className={parts.hint}>
          {t('{{types}} up to {{size}}', {
            types: rules.extensions.join(', ').toUpperCase(),
            size: fileSize(rules.sizeBytesMax),
          })}
        </span>
      </button>
      <input
        ref={camera}
        type="file"
        accept={rules.extensions.includes('mp4') ? 'video/*' : 'image/*'}
        capture="environment"
        hidden
        onChange={(event) => event.currentTarget.files && onFiles(event.currentTarget.files)}
      />
      <Button
        className={parts.camera ?? ''}
        variant="default"
        mt="sm"
        fullWidth
        leftSection={<IconCamera size={18} stroke={1.5} />}
        disabled={isResting}
        onClick={() => camera.current?.click()}
      >
        {rules.extensions.includes('mp4') ? t('Record a film') : t('Take a picture')}
      </Button>
    </>
  )
}

type PickedProps = {
  picked: PickedFile
  isWaiting: boolean
  onRemove: () => void
  onResume?: (() => void) | undefined
}

function Picked({ picked: { file, share, isSent }, isWaiting, onRemove, onResume }: PickedProps) {
  const { t } = useTranslation()
  const isUnderWay = !isSent && !isWaiting && !onResume
  return (
    <div className={parts.file}>
      <Preview file={file} />
      <div className={parts.about}>
        <div className={parts.name}>{file.name}</div>
        <div className={parts.size}>
          {fileSize(file.size)}
          {isSent && (
            <span className={parts.done}>
              <IconCheck size={14} stroke={2} aria-hidden />
              {t('Uploaded')}
            </span>
          )}
        </div>
        {isUnderWay && (
          <div
            className={parts.progress}
            role="progressbar"
            aria-label={t('Uploading {{name}}', { name: file.name })}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(share * 100)}
          >
            <div style={{ width: `${Math.round(share * 100)}%` }} />
          </div>
        )}
      </div>
      {onResume && (
        <Button variant="default" size="xs" onClick={onResume}>
          {t('Go on')}
        </Button>
      )}
      <ActionIcon
        aria-label={isUnderWay ? t('Cancel the upload') : t('Remove {{name}}', { name: file.name })}
        onClick={onRemove}
      >
        {isUnderWay ? <IconX size={18} stroke={1.5} /> : <IconTrash size={18} stroke={1.5} />}
      </ActionIcon>
    </div>
  )
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (address) return <img className={parts.picture} src={address} alt="" />
  return (
    <div className={parts.picture}>
      <IconFileTypePdf size={24} stroke={1.5} aria-hidden />
    </div>
  )
}

/** A screenshot pasted anywhere on the page is the receipt, as long as none is there. Text pastes are left alone. */
function usePaste(onPaste: (event: globalThis.ClipboardEvent) => void, isOn: boolean) {
  const latest = useRef(onPaste)
  latest.current = onPaste
  useEffect(() => {
    if (!isOn) return
    const listen = (event: globalThis.ClipboardEvent) => {
      if ((event.clipboardData?.files.length ?? 0) > 0) latest.current(event)
    }
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [isOn])
}
