import { isHeld } from '@atrium/contract/files/calls.ts'
import { bytesPerKb } from '@atrium/contract/limits.ts'
import { fileAddress } from '../../api/address.ts'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Thumbnail } from '../../ui/files/thumbnail.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-parts.module.css'

type AttachmentProps = { url: string; name: string; isPicture: boolean; sizeBytes: number; scan: string }

/** A file in a conversation: a picture as a thumbnail, any other file as an icon, with name and size. */
export function AttachmentCard({ url, name, isPicture, sizeBytes, scan }: AttachmentProps) {
  const { t } = useTranslation()
  const address = fileAddress(url)
  return (
    <a className={parts.file} href={address} target="_blank" rel="noreferrer">
      <Thumbnail src={address} isPicture={isPicture && !isHeld(scan)} className={parts.thumbnail} />
      <span>
        <span className={parts.fileName}>{name}</span>
        <span className={parts.fileSize}>{t('{{size}} KB', { size: Math.round(sizeBytes / bytesPerKb) })}</span>
        <ScanMark scan={scan} />
      </span>
    </a>
  )
}
