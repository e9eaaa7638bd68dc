import { useState } from 'react'
import { AtriumMark } from './atrium-mark.tsx'
import parts from './brand-logo.module.css'

/** The workspace's logo with its name; Atrium's mark if there is no logo or it fails to load. */
export function BrandLogo({
  name,
  logo,
  isCollapsed = false,
}: {
  name: string
  logo: string | null
  isCollapsed?: boolean
}) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span className={parts.brand}>
      {logo && failed !== logo ? (
        <img className={parts.picture} src={logo} alt="" onError={() => setFailed(logo)} />
      ) : (
        <AtriumMark />
      )}
      {!isCollapsed && <span className={parts.name}>{name}</span>}
    </span>
  )
}
