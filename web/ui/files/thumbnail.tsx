import { fileIcon } from './file-icon.ts'
import { useBrokenPicture } from './use-broken-picture.ts'

type ThumbnailProps = {
  /** Where it is fetched from. */ src: string
  isPicture: boolean
  className: string | undefined
}

/** A picture that fails to load is replaced by an icon, as for any other document. */
export function Thumbnail({ src, isPicture, className }: ThumbnailProps) {
  const { isBroken, onError } = useBrokenPicture(src)
  if (isPicture && !isBroken) return <img className={className} src={src} alt="" loading="lazy" onError={onError} />
  const Sheet = fileIcon(src)
  return (
    <span className={className} aria-hidden>
      <Sheet size={28} stroke={1.5} />
    </span>
  )
}
