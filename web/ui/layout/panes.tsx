import type { ReactNode } from 'react'
import parts from './panes.module.css'
import { useIsWide } from './use-is-phone.ts'

type PanesProps = {
  /** The list's filters: tabs, a search. */
  bar?: ReactNode
  listLabel: string
  list: ReactNode
  detailLabel: string
  detail: ReactNode
  /** The key of the selected row; a change scrolls the detail to its top. Without one, narrow screens show the list. */
  detailOf: string | undefined
}

/** A list and the detail of its selected row: side by side on wide screens, otherwise one at a time. */
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
