import { useTranslation } from '../../ui/text/use-translation.ts'
import { entryLabel, sideLabel } from './trade-labels.ts'
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

/** Stop loss and take profit; a dash when not set. */
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
