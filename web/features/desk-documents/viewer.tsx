import type { DeskDocument } from '@atrium/contract/documents/desk-calls.ts'
import { isHeld } from '@atrium/contract/files/calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { Box, Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isPdf, isPicture } from '../../api/private-file.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { PdfSheets, pdfScales } from '../../ui/files/pdf-sheets.tsx'
import { HeldFile } from '../../ui/files/scan-mark.tsx'
import { SheetTools } from '../../ui/files/sheet-tools.tsx'
import { useBlobAddress } from '../../ui/files/use-blob-address.ts'
import { useSheet, useSheetKeys } from '../../ui/files/use-sheet.ts'
import { fileSize } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './documents.module.css'
import { fileQuery } from './use-documents.ts'

const canShow = ({ file }: DeskDocument) => isPicture(file) || isPdf(file)

/** Shows a picture or PDF with zoom and rotation; offers other files as a download. */
export function Viewer({ document }: { document: DeskDocument }) {
  const { t } = useTranslation()
  const file = useQuery(fileQuery(document))
  const address = useBlobAddress(file.data)
  if (file.isError)
    return <ErrorState error={file.error} holds={t('No decision was made.')} onRetry={() => file.refetch()} />
  const { scan, name, size_bytes, is_unscannable } = document.file
  if (is_unscannable) return <Callout meaning="amber">{t(deskTexts.documentUnscanned)}</Callout>
  if (isHeld(scan)) return <HeldFile scan={scan} name={name} />
  if (!address) return <Skeleton className={parts.frame ?? ''} />
  return (
    <div data-stack="sm">
      {isPicture(document.file) && <Picture key={document._id} name={name} address={address} />}
      {isPdf(document.file) && file.data && <Pdf key={document._id} name={name} file={file.data} />}
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

function Pdf({ name, file }: { name: string; file: Blob }) {
  const { t } = useTranslation()
  const sheet = useSheet(pdfScales)
  useSheetKeys(sheet)
  return <PdfSheets file={file} sheet={sheet} title={t('Document {{name}}', { name })} className={parts.frame} />
}

function Picture({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation()
  const sheet = useSheet()
  const { scale, turns } = sheet
  const [ratio, setRatio] = useState(1)
  useSheetKeys(sheet)
  const isLying = turns % 2 !== 0
  return (
    <>
      <SheetTools sheet={sheet} />
      {/* The scroll area takes the keyboard focus; the inner box has the size of the rotated picture, so that all of it can
          be scrolled into view. */}
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
