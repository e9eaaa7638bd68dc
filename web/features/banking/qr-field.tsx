import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { fileProblem } from '../../ui/files/file-rules.ts'
import type { PickedFile } from '../../ui/files/picked-file.tsx'
import { useKeptFocus } from '../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'
import { QrPicture } from './qr-picture.tsx'

type QrFieldProps = {
  /** The saved picture. */
  saved: { url: string } | null
  picked: PickedFile | null
  isPaused: boolean
  error: string | undefined
  onPick: (file: File) => void
  onRemove: () => void
}

/** The QR code of an address: shows the saved one, or takes a file that is sent with the form. */
export function QrField({ saved, picked, isPaused, error, onPick, onRemove }: QrFieldProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string | undefined>()
  const rules = uploadPurposes.qr
  const pick = (file: File) => {
    const found = fileProblem(file, rules)
    setProblem(found ? t(found.text, found.values) : undefined)
    if (!found) onPick(file)
  }
  const isSavedShown = saved !== null && picked === null
  const place = useKeptFocus<HTMLDivElement>(isSavedShown)
  if (isSavedShown)
    return (
      <div>
        <p className={parts.label}>{t('QR code (optional)')}</p>
        <div data-group="md" data-nowrap data-align="center">
          <QrPicture url={saved.url} size={64} alt={t('QR code of the address')} />
          <Button variant="default" size="xs" onClick={onRemove}>
            {t('Remove the QR code')}
          </Button>
        </div>
      </div>
    )
  return (
    <div ref={place} tabIndex={-1}>
      <DropZone
        label={t('QR code (optional)')}
        rules={rules}
        isOptional
        isSentLater
        picked={picked}
        isPaused={isPaused}
        error={problem ?? error}
        onPick={pick}
        onRemove={onRemove}
      />
    </div>
  )
}
