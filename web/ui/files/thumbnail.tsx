import { useState } from 'react'
import { fileIcon } from './file-icon.ts'

type ThumbnailProps = {
  /** Where it is fetched from. */ src: string
  isPicture: boolean
  className: string | undefined
}

/** A picture that fails to load is replaced by an icon, as for any other document. */
export function Thumbnail({ src, isPicture, className }: ThumbnailProps) {
  const [isBroken, setBroken] = useState(false)
  if (isPicture && !isBroken)
    return <img className={className} src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
  const Sheet = fileIcon(src)
  return (
    <span className={className} aria-hidden>
      <Sheet size={28} stroke={1.5} />
    </span>
  )
}
