import { IconCheck } from '@tabler/icons-react'
import parts from './done-mark.module.css'

/** It is done: above the words that say what. */
export function DoneMark() {
  return (
    <span className={parts.mark}>
      <IconCheck size={28} stroke={2} aria-hidden />
    </span>
  )
}
