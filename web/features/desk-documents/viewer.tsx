import type { DeskDocument } from '@atrium/contract/desk-documents.ts'
import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconDownload, IconMinus, IconPlus, IconRotate, IconRotateClockwise } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isPdf, isPicture } from '../../api/private-file.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { fileSize } from '../../ui/format.ts'
import { useBlobAddress } from '../../ui/use-blob-address.ts'
import parts from './documents.module.css'
import { fileQuery } from './use-documents.ts'

const scales = [1, 1.5, 2, 3, 4]

/** The paper itself: a picture that is made larger and turned, a PDF in a frame, anything else to be downloaded. */
export function Viewer({ document }: { document: DeskDocument }) {
  const { t } = useTranslation()
  const file = useQuery(fileQuery(document))
  const address = useBlobAddress(file.data)
  if (file.isError)
    return <ErrorState error={file.error} holds={t('Nothing was decided.')} onRetry={() => file.refetch()} />
  if (!address) return <Skeleton className={parts.frame ?? ''} />
  const { name, size_bytes } = document.file
  return (
    <div className={parts.viewer}>
      {isPicture(document.file) && <Picture key={document._id} name={name} address={address} />}
      {/* The bytes are given the type of a PDF, whatever they are: they cannot run as a page. The browser's own reader
          refuses to work where the frame is sandboxed by attribute, so it is the policy of the page that closes it in. */}
      {isPdf(document.file) && navigator.pdfViewerEnabled && (
        <iframe className={parts.frame} src={`${address}#view=FitH`} title={t('Document {{name}}', { name })} />
      )}
      <div className={parts.fileLine}>
        <span>
          {name} {'\u00b7'} {fileSize(size_bytes)}
        </span>
        <Button
          component="a"
          href={address}
          download={name}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        >
          {t('Download')}
        </Button>
      </div>
    </div>
  )
}

function Picture({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation()
  const [step, setStep] = useState(0)
  const [turns, setTurns] = useState(0)
  const scale = scales[step] ?? 1
  return (
    <>
      <div className={parts.tools}>
        <ActionIcon aria-label={t('Smaller')} disabled={step === 0} onClick={() => setStep(step - 1)}>
          <IconMinus size={18} stroke={1.5} />
        </ActionIcon>
        <output aria-label={t('Size')}>{`${Math.round(scale * 100)}%`}</output>
        <ActionIcon aria-label={t('Larger')} disabled={step === scales.length - 1} onClick={() => setStep(step + 1)}>
          <IconPlus size={18} stroke={1.5} />
        </ActionIcon>
        <ActionIcon aria-label={t('Turn left')} onClick={() => setTurns(turns - 1)}>
          <IconRotate size={18} stroke={1.5} />
        </ActionIcon>
        <ActionIcon aria-label={t('Turn right')} onClick={() => setTurns(turns + 1)}>
          <IconRotateClockwise size={18} stroke={1.5} />
        </ActionIcon>
      </div>
      <div className={parts.frame}>
        <img
          className={parts.picture}
          src={address}
          alt={t('Document {{name}}', { name })}
          style={{ width: `${scale * 100}%`, transform: `rotate(${turns * 90}deg)` }}
        />
      </div>
    </>
  )
}
