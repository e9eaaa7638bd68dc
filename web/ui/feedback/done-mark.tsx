import { IconCheck } from '@tabler/icons-react'
import parts from './done-mark.module.css'

/** A check mark above a success message. */
export function DoneMark() {
  return (
    <span className={parts.mark}>
      <IconCheck size={28} stroke={2} aria-hidden />
    </span>
  )
}
