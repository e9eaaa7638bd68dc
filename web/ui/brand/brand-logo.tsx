import { useState } from 'react'
import { AtriumMark } from './atrium-mark.tsx'
import parts from './brand-logo.module.css'

/** The workspace's logo with its name; without one, or when it does not load, Atrium's mark stands in. */
export function BrandLogo({ name, logo, isFolded = false }: { name: string; logo: string | null; isFolded?: boolean }) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span className={parts.brand}>
      {logo && failed !== logo ? (
        <img className={parts.picture} src={logo} alt="" onError={() => setFailed(logo)} />
      ) : (
        <AtriumMark />
      )}
      {!isFolded && <span className={parts.name}>{name}</span>}
    </span>
  )
}
