import { IconPhotoOff } from '@tabler/icons-react'
import { fileAddress } from '../../api/address.ts'
import { useBrokenPicture } from '../../ui/files/use-broken-picture.ts'
import parts from './banking.module.css'

type QrPictureProps = { url: string; size: number; alt: string }

/** Shows a placeholder of the same size when the picture fails to load. */
export function QrPicture({ url, size, alt }: QrPictureProps) {
  const { isBroken, onError } = useBrokenPicture(url)
  const box = { width: size, height: size }
  if (isBroken)
    return (
      <span className={parts.broken} style={box} role="img" aria-label={alt}>
        <IconPhotoOff size={Math.min(size * 0.6, 48)} stroke={1.5} aria-hidden />
      </span>
    )
  return (
    <img
      className={parts.qr}
      src={fileAddress(url)}
      alt={alt}
      width={size}
      height={size}
      loading="lazy"
      onError={onError}
    />
  )
}
