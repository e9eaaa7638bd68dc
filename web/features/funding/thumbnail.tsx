import { IconFileText, IconFileTypeDocx, IconFileTypePdf, IconFileTypeXls } from '@tabler/icons-react'
import { useState } from 'react'
import { fileAddress } from '../../api/address.ts'

type ThumbnailProps = { url: string; isPicture: boolean; className: string | undefined }

const sheets = { pdf: IconFileTypePdf, docx: IconFileTypeDocx, xlsx: IconFileTypeXls }

/** The kinds of paper that people send most have sheets of their own. */
const sheetOf = (url: string) =>
  Object.entries(sheets).find(([ending]) => url.toLowerCase().endsWith(`.${ending}`))?.[1] ?? IconFileText

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
