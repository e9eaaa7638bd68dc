import { useState } from 'react'
import parts from './portrait.module.css'

type PortraitProps = {
  name: string /** Where it is fetched from. */
  url: string | null | undefined
  size?: 'small' | 'large' | 'huge'
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

/** A person's picture, or their initials if there is none or it fails to load. Always shown beside the name. */
export function Portrait({ name, url, size = 'small' }: PortraitProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const isShown = url && url !== broken
  return (
    <span className={`${parts.portrait} ${parts[size]}`} data-initials={isShown ? '' : initialsOf(name)} aria-hidden>
      {isShown && <img src={url} alt="" onError={() => setBroken(url)} />}
    </span>
  )
}
