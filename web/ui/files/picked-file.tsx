import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconFile, IconFileTypePdf, IconTrash, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { fileSize } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './drop-zone.module.css'

/** A file being uploaded: `share` from 0 to 1, `isSent` once the server has it, `isWaiting` while the virus scanner is unavailable. */
export type PickedFile = { file: File; share: number; isSent: boolean; isWaiting?: boolean }

type PickedProps = {
  picked: PickedFile
  isWaiting: boolean
  onRemove: () => void
  onResume?: (() => void) | undefined
}

/** The picked file with size and progress, and buttons to cancel and resume. */
export function Picked({
  picked: { file, share, isSent, isWaiting: isUnchecked },
  isWaiting,
  onRemove,
  onResume,
}: PickedProps) {
  const { t } = useTranslation()
  const isUnderWay = !isSent && !isWaiting && !onResume
  const hasArrived = isUnderWay && share === 1
  return (
    <div className={parts.file}>
      <Preview file={file} />
      <div className={parts.about}>
        <div className={parts.name}>{file.name}</div>
        <div className={parts.size}>
          <span>{fileSize(file.size)}</span>
          {isSent && (
            <span className={parts.done}>
              <IconCheck size={14} stroke={2} aria-hidden />
              {t('Uploaded')}
            </span>
          )}
          {isUnchecked && <span>{t('Still being checked for viruses')}</span>}
          {hasArrived && <span>{t('Scanning')}</span>}
        </div>
        {(isUnderWay || onResume) && (
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
          {t('Continue')}
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
  const Icon = file.type === 'application/pdf' ? IconFileTypePdf : IconFile
  if (address) return <img className={parts.picture} src={address} alt="" />
  return (
    <div className={parts.picture}>
      <Icon size={24} stroke={1.5} aria-hidden />
    </div>
  )
}
