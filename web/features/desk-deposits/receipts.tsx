import { isHeld } from '@atrium/contract/files/calls.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload, IconExternalLink, IconFile, IconFileTypePdf, IconZoomIn } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { isPdf, isPicture } from '../../api/private-file.ts'
import { ReleaseFile } from '../../forms/release-file.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { PdfSheets, pdfScales } from '../../ui/files/pdf-sheets.tsx'
import { HeldFile } from '../../ui/files/scan-mark.tsx'
import { useBlobAddress } from '../../ui/files/use-blob-address.ts'
import { useSheet } from '../../ui/files/use-sheet.ts'
import { fileSize } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { PictureDialog } from './picture-dialog.tsx'
import parts from './receipts.module.css'
import { type Receipt, receiptQuery } from './use-receipt.ts'

export function Receipts({ receipts }: { receipts: Receipt[] }) {
  const { t } = useTranslation()
  if (receipts.length === 0) return <p className={parts.none}>{t('No receipt was attached.')}</p>
  return (
    <ul className={parts.receipts} aria-label={t('Receipts')}>
      {receipts.map((receipt) => (
        <li key={receipt._id} className={parts.receipt}>
          <ReceiptCard receipt={receipt} />
        </li>
      ))}
    </ul>
  )
}

function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const file = useQuery(receiptQuery(receipt))
  const address = useBlobAddress(file.data)
  if (isHeld(receipt.scan))
    return (
      <div className={parts.failed}>
        {!receipt.is_unscannable && <HeldFile scan={receipt.scan} name={receipt.name} />}
        <ReleaseFile file={receipt} />
      </div>
    )
  if (file.isError)
    return (
      <div className={parts.failed}>
        <Callout meaning="amber">
          {t('{{name}} could not be loaded.', { name: receipt.name })} {isRefused(file.error) && t(file.error.message)}{' '}
          <button type="button" className={parts.retry} onClick={() => file.refetch()}>
            {t('Try again')}
          </button>
        </Callout>
      </div>
    )
  return (
    <>
      {isPicture(receipt) && <Picture receipt={receipt} address={address} />}
      {isPdf(receipt) && <Sheets receipt={receipt} file={file.data} />}
      <FileLine receipt={receipt} address={address} />
    </>
  )
}

/** True when the server has the file but refuses to serve it. */
const isRefused = (error: Error) => error instanceof ApiError && error.code === 'conflict'

function Picture({ receipt, address }: { receipt: Receipt; address: string | undefined }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (!address) return <Skeleton className={parts.skeleton ?? ''} />
  if (isBroken) return <p className={parts.none}>{t('This picture cannot be shown. Please download it.')}</p>
  return (
    <>
      <button
        type="button"
        className={parts.picture}
        aria-label={t('Enlarge {{name}}', { name: receipt.name })}
        onClick={() => setOpen(true)}
      >
        <img src={address} alt="" onError={() => setBroken(true)} />
        <span className={parts.enlarge} aria-hidden>
          <IconZoomIn size={18} stroke={1.5} />
        </span>
      </button>
      <PictureDialog name={receipt.name} address={address} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

function Sheets({ receipt, file }: { receipt: Receipt; file: Blob | undefined }) {
  const { t } = useTranslation()
  const sheet = useSheet(pdfScales)
  if (!file) return <Skeleton className={parts.sheetsSkeleton ?? ''} />
  return (
    <div className={parts.sheetsOf}>
      <PdfSheets
        file={file}
        sheet={sheet}
        title={t('Receipt {{name}}', { name: receipt.name })}
        className={parts.sheets}
      />
    </div>
  )
}

/** The file's name and type, with the links to open and to download it. */
function FileLine({ receipt, address }: { receipt: Receipt; address: string | undefined }) {
  const { t } = useTranslation()
  const Icon = isPdf(receipt) ? IconFileTypePdf : IconFile
  return (
    <div className={parts.line}>
      {!isPicture(receipt) && <Icon className={parts.icon} size={28} stroke={1.25} aria-hidden />}
      <div className={parts.about}>
        <div className={parts.name}>{receipt.name}</div>
        <div className={parts.size}>{fileSize(receipt.size_bytes)}</div>
      </div>
      {address ? (
        <div data-group="sm" data-nowrap>
          {(isPdf(receipt) || isPicture(receipt)) && (
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noopener"
              size="xs"
              variant="default"
              leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
              aria-label={t('Open {{name}} in a new tab', { name: receipt.name })}
            >
              {t('Open')}
            </Button>
          )}
          <Button
            component="a"
            href={address}
            download={receipt.name}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
            aria-label={t('Download {{name}}', { name: receipt.name })}
          >
            {t('Download')}
          </Button>
        </div>
      ) : (
        <Skeleton height={28} width={120} />
      )}
    </div>
  )
}
