import { limits } from '@atrium/contract/limits.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { entryLabel, sideLabel } from './trade-words.ts'
import parts from './trades.module.css'

export function Side({ cmd, entry }: { cmd: string; entry?: number | null }) {
  const { t } = useTranslation()
  const way = entryLabel(entry)
  return (
    <span className={parts.stacked}>
      <span className={parts.side}>{t(sideLabel(cmd))}</span>
      {way && <span className={parts.quiet}>{t(way)}</span>}
    </span>
  )
}

/** Stop loss and take profit; a dash where there is none. */
export function Levels({ sl, tp, isInLine }: { sl: string | null; tp: string | null; isInLine: boolean }) {
  if (sl === null && tp === null) return <span className={parts.quiet}>{'\u2013'}</span>
  const [one, other] = [sl ?? '\u2013', tp ?? '\u2013']
  if (isInLine) return <span>{`${one} / ${other}`}</span>
  return (
    <span className={`${parts.stacked} ${parts.levels}`}>
      <span>{one}</span>
      <span>{other}</span>
    </span>
  )
}

/** A long comment is folded after its first lines. */
export function Comment({ text }: { text: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > limits.commentCollapsedOverChars
  if (!isLong) return <span className={parts.comment}>{text}</span>
  return (
    <span className={parts.comment}>
      {isOpen ? text : `${text.slice(0, limits.commentCollapsedOverChars).trimEnd()}\u2026`}{' '}
      <button type="button" className={parts.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t('Show less') : t('Show more')}
      </button>
    </span>
  )
}
