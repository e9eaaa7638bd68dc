import { Button } from '@mantine/core'
import { IconCamera, IconCloudUpload } from '@tabler/icons-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { focusWhenLost } from '../feedback/focus-heading.ts'
import { fileSize } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './drop-zone.module.css'
import type { FileRules } from './file-rules.ts'
import { oneFile } from './one-file.ts'
import { Picked, type PickedFile } from './picked-file.tsx'
import { useFilePaste, useNothingOpened } from './use-file-paste.ts'

type DropZoneProps = {
  label: string
  rules: FileRules
  picked: PickedFile | null
  error?: string | undefined
  /** The form can be sent without it. */
  isOptional?: boolean
  /** Uploaded with the form, not when it is picked. */
  isSentLater?: boolean
  /** Briefly disabled after an upload, before the next file. */
  isPaused?: boolean
  onPick: (file: File) => void
  /** During an upload, it also cancels the upload. */
  onRemove: () => void
  /** Set while the connection is broken: resumes the upload. */
  onResume?: (() => void) | undefined
}

/** Accepts a file by picker, drag and drop, paste or camera; shows it with size and progress. */
export function DropZone(props: DropZoneProps) {
  const { label, rules, picked, error, isOptional = false, isSentLater = false, isPaused = false, onPick } = props
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const zone = useRef<HTMLDivElement>(null)
  const take = (files: FileList | null | undefined) => {
    if (isPaused) return
    const file = oneFile(files)
    if (file) onPick(file)
  }
  useFilePaste({ zone, isOn: picked === null && !isPaused, onPaste: (event) => take(event.clipboardData?.files) })
  useNothingOpened()
  const isPicked = picked !== null
  const wasPicked = useRef(isPicked)
  // The button that picked or removed the file is gone with it.
  useEffect(() => {
    if (wasPicked.current !== isPicked) focusWhenLost(zone.current)
    wasPicked.current = isPicked
  }, [isPicked])
  return (
    <div ref={zone} className={parts.field} tabIndex={-1}>
      <label id={`${id}-label`} htmlFor={id} className={parts.label}>
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
        disabled={isPaused}
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
          about={error ? `${id}-label ${id}-error` : `${id}-label`}
          isWrong={error !== undefined}
          isPaused={isPaused}
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
  /** The ids of the field's label and error: a form may have several fields for files. */
  about: string
  isWrong: boolean
  isPaused: boolean
  onFiles: (files: FileList) => void
  onChoose: () => void
}

function Target({ rules, about, isWrong, isPaused, onFiles, onChoose }: TargetProps) {
  const { t } = useTranslation()
  const camera = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const takesFilms = rules.extensions.includes('mp4')
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
        disabled={isPaused}
        aria-describedby={about}
        onClick={onChoose}
        onDrop={drop}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
      >
        <IconCloudUpload size={24} stroke={1.5} aria-hidden />
        {isPaused ? (
          <span>{t('You can choose the next file in a few seconds.')}</span>
        ) : (
          <span>
            <strong>{t('Choose a file')}</strong> {t('or drop or paste it here')}
          </span>
        )}
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
        accept={takesFilms ? 'video/*' : 'image/*'}
        capture="environment"
        hidden
        onChange={(event) => {
          if (event.currentTarget.files) onFiles(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <Button
        className={parts.camera ?? ''}
        variant="default"
        mt="sm"
        fullWidth
        leftSection={<IconCamera size={18} stroke={1.5} />}
        disabled={isPaused}
        onClick={() => camera.current?.click()}
      >
        {takesFilms ? t('Record a video') : t('Take a picture')}
      </Button>
    </>
  )
}
