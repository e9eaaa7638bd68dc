import type { Meaning } from '../brand/theme.ts'
import parts from './status-pill.module.css'

type StatusPillProps = { meaning: Meaning; label: string; isMoving?: boolean | undefined }

/** A dot and a label: never colour alone. `isMoving` pulses, for a state that soon changes by itself. */
export function StatusPill({ meaning, label, isMoving = false }: StatusPillProps) {
  return (
    <span className={`${parts.pill} ${parts[meaning]} ${isMoving ? parts.moving : ''}`}>
      <span className={parts.dot} aria-hidden />
      {label}
    </span>
  )
}

/** A plain label beside a name, e.g. Live or Demo. */
export function Tag({ label, isStrong = false }: { label: string; isStrong?: boolean }) {
  return <span className={`${parts.tag} ${isStrong ? parts.strong : ''}`}>{label}</span>
}
