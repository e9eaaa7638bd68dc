import type { DeskDocument } from '@atrium/contract/desk-documents.ts'
import { isHeld } from '@atrium/contract/files.ts'
import { ActionIcon, Box, Button, Skeleton } from '@mantine/core'
import { IconDownload, IconMinus, IconPlus, IconRotate, IconRotateClockwise } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isPdf, isPicture } from '../../api/private-file.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { fileSize } from '../../ui/format.ts'
import { useKeys } from '../../ui/keyboard.tsx'
import { HeldFile } from '../../ui/scan-mark.tsx'
import { Callout } from '../../ui/state.tsx'
import { useBlobAddress } from '../../ui/use-blob-address.ts'
import parts from './documents.module.css'
import { fileQuery } from './use-documents.ts'

const scales = [1, 1.5, 2, 3, 4]

const canShow = ({ file }: DeskDocument) => isPicture(file) || (isPdf(file) && navigator.pdfViewerEnabled)

/** The paper itself: a picture that is made larger and turned, a PDF in a frame, anything else to be downloaded. */
export function Viewer({ document }: { document: DeskDocument }) {
  const { t } = useTranslation()
  const file = useQuery(fileQuery(document))
  const address = useBlobAddress(file.data)
  if (file.isError)
    return <ErrorState error={file.error} holds={t('Nothing was decided.')} onRetry={() => file.refetch()} />
  if (isHeld(document.file.scan)) return <HeldFile scan={document.file.scan} name={document.file.name} />
  if (!address) return <Skeleton className={parts.frame ?? ''} />
  const { name, size_bytes } = document.file
  return (
    <div className={parts.viewer}>
      {isPicture(document.file) && <Picture key={document._id} name={name} address={address} />}
      {/* The bytes are given the type of a PDF, whatever they are: they cannot run as a page. Chromium's own reader, which
          has a process without the page's origin, refuses to start where a frame is sandboxed, by attribute or by header. */}
      {isPdf(document.file) && navigator.pdfViewerEnabled && (
        <iframe className={parts.frame} src={`${address}#view=FitH`} title={t('Document {{name}}', { name })} />
      )}
      {!canShow(document) && (
        <Callout meaning="grey">{t('This kind of file cannot be shown here. Download it.')}</Callout>
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
  const [ratio, setRatio] = useState(1)
  const scale = scales[step] ?? 1
  const larger = () => setStep((before) => Math.min(scales.length - 1, before + 1))
  const smaller = () => setStep((before) => Math.max(0, before - 1))
  const restore = () => {
    setStep(0)
    setTurns(0)
  }
  const turn = (by: 1 | -1) => setTurns((before) => before + by)
  useKeys(t('Picture of a document'), [
    { keys: '+', words: 'Larger', mayRepeat: true, act: larger },
    { keys: '-', words: 'Smaller', mayRepeat: true, act: smaller },
    { keys: ',', words: 'Turn left', act: () => turn(-1) },
    { keys: '.', words: 'Turn right', act: () => turn(1) },
    { keys: '0', words: 'As it was', act: restore },
  ])
  const isLying = turns % 2 !== 0
  return (
    <>
      <div className={parts.tools}>
        <ActionIcon aria-label={t('Smaller')} disabled={step === 0} onClick={smaller}>
          <IconMinus size={18} stroke={1.5} />
        </ActionIcon>
        <output aria-label={t('Size')}>{`${Math.round(scale * 100)}%`}</output>
        <ActionIcon aria-label={t('Larger')} disabled={step === scales.length - 1} onClick={larger}>
          <IconPlus size={18} stroke={1.5} />
        </ActionIcon>
        <ActionIcon aria-label={t('Turn left')} onClick={() => turn(-1)}>
          <IconRotate size={18} stroke={1.5} />
        </ActionIcon>
        <ActionIcon aria-label={t('Turn right')} onClick={() => turn(1)}>
          <IconRotateClockwise size={18} stroke={1.5} />
        </ActionIcon>
      </div>
      {/* What scrolls is reached by keyboard; the inner box has the measures of the turned picture, so that all of it can be
          scrolled to. */}
      <Box component="section" className={parts.frame ?? ''} tabIndex={0} aria-label={t('Picture')}>
        <div
          className={parts.sheet}
          style={{ width: `${scale * 100}%`, aspectRatio: String(isLying ? 1 / ratio : ratio) }}
        >
          <img
            className={parts.picture}
            src={address}
            alt={t('Document {{name}}', { name })}
            style={{ width: `${isLying ? ratio * 100 : 100}%`, rotate: `${turns * 90}deg` }}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setRatio(naturalHeight > 0 ? naturalWidth / naturalHeight : 1)
            }
          />
        </div>
      </Box>
    </>
  )
}
