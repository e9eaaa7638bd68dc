import { isHeld } from '@atrium/contract/files/calls.ts'
import { fileAddress } from '../../api/address.ts'
import parts from './attached-picture.module.css'
import { ScanMark } from './scan-mark.tsx'
import { useBrokenPicture } from './use-broken-picture.ts'

type AttachedPictureProps = { picture: { url: string; scan: string }; name: string; side: number }

/** A small picture among facts, which opens alone; its name where it cannot be shown. */
export function AttachedPicture({ picture: { url, scan }, name, side }: AttachedPictureProps) {
  const address = fileAddress(url)
  const { isBroken, onError } = useBrokenPicture(address)
  if (isHeld(scan)) return <ScanMark scan={scan} />
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {isBroken ? (
        name
      ) : (
        <img
          className={parts.picture}
          src={address}
          alt={name}
          width={side}
          height={side}
          loading="lazy"
          onError={onError}
        />
      )}
    </a>
  )
}
