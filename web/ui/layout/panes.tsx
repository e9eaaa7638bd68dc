import type { ReactNode } from 'react'
import parts from './panes.module.css'
import { useIsWide } from './use-is-phone.ts'

type PanesProps = {
  /** What filters the list: tabs, a search. */
  bar?: ReactNode
  listLabel: string
  list: ReactNode
  detailLabel: string
  detail: ReactNode
  /** Which one is looked at; another one starts at its top. None: where there is no room for both, the list is shown. */
  detailOf: string | undefined
}

/** A list and what is looked at in it: side by side where there is room, one after the other elsewhere. */
export function Panes({ bar, listLabel, list, detailLabel, detail, detailOf }: PanesProps) {
  const isWide = useIsWide()
  const isListShown = isWide || !detailOf
  return (
    <>
      {isListShown && bar && <div className={parts.bar}>{bar}</div>}
      <div className={parts.panes}>
        {isListShown && (
          <section className={parts.list} aria-label={listLabel}>
            {list}
          </section>
        )}
        {(isWide || detailOf) && (
          <section key={detailOf} className={parts.detail} aria-label={detailLabel}>
            {detail}
          </section>
        )}
      </div>
    </>
  )
}
