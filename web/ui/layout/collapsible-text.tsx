import { limits } from '@atrium/contract/limits.ts'
import { useState } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './collapsible-text.module.css'

/** Free text; a long one is collapsed after its first lines. */
export function CollapsibleText({ text }: { text: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (text.length <= limits.commentCollapsedOverChars) return <span className={parts.text}>{text}</span>
  return (
    <span className={parts.text}>
      {isOpen ? text : `${text.slice(0, limits.commentCollapsedOverChars).trimEnd()}\u2026`}{' '}
      <button type="button" className={parts.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t('Show less') : t('Show more')}
      </button>
    </span>
  )
}
