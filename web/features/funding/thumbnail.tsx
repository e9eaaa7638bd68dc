import { useState } from 'react'
import { fileAddress } from '../../api/address.ts'
import { sheetOf } from './sheet-of.ts'

type ThumbnailProps = { url: string; isPicture: boolean; className: string | undefined }

/** A picture that does not load gives way to a sheet, as any other document has. */
export function Thumbnail({ url, isPicture, className }: ThumbnailProps) {
  const [isBroken, setBroken] = useState(false)
  if (isPicture && !isBroken)
    return <img className={className} src={fileAddress(url)} alt="" loading="lazy" onError={() => setBroken(true)} />
  const Sheet = sheetOf(url)
  return (
    <span className={className} aria-hidden>
      <Sheet size={28} stroke={1.5} />
    </span>
  )
}
