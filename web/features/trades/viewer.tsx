import { texts } from '@atrium/contract/texts.ts'
import { Drawer } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { useIsPhone, useIsWide } from '../../ui/layout/use-is-phone.ts'
import { useNoOther, useShownRow } from '../../ui/lists/member/use-shown-row.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './viewer.module.css'

type Identified = { _id: string }

type ViewerProps<Row extends Identified> = {
  label: string
  rows: Row[] | undefined
  /** The selected row; in the two-column layout it defaults to the first. */
  open: string | undefined
  onOpen: (key: string | undefined) => void
  item: (row: Row) => ReactNode
  title: (row: Row) => string
  detail: (row: Row) => ReactNode
  pager: ReactNode
}

/** A list on the left and the selected row's detail on the right; on small screens the detail covers the list. */
export function Viewer<Row extends Identified>(props: ViewerProps<Row>) {
  const { rows, open, onOpen, title, detail, pager } = props
  const { t } = useTranslation()
  const isWide = useIsWide()
  const isPhone = useIsPhone()
  const { shown: named } = useShownRow({ id: open, rows, useOne: useNoOther })
  const chosen = named ?? (isWide ? rows?.[0] : undefined)
  if (rows === undefined) return <Waiting />
  if (rows.length === 0)
    return (
      <div className={parts.frame}>
        <EmptyState drawing="list" title={t(texts.noTradingTransactions)} />
      </div>
    )
  return (
    <div className={parts.frame}>
      <div className={isWide ? parts.panes : undefined}>
        <ViewerList {...props} rows={rows} chosen={chosen?._id} />
        {isWide && chosen && (
          <section key={chosen._id} className={parts.detail} aria-label={title(chosen)}>
            <h3 className={parts.title}>{title(chosen)}</h3>
            {detail(chosen)}
          </section>
        )}
      </div>
      {pager}
      {!isWide && (
        <Drawer
          opened={named !== undefined}
          onClose={() => onOpen(undefined)}
          position={isPhone ? 'bottom' : 'right'}
          size={isPhone ? '92dvh' : 460}
          title={named && title(named)}
          closeButtonProps={{ 'aria-label': t('Close the details') }}
        >
          {named && detail(named)}
        </Drawer>
      )}
    </div>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <div className={`${parts.frame} ${parts.waiting}`} role="status" aria-busy>
      {t(texts.loadingTransactions)}
    </div>
  )
}

type ListProps<Row extends Identified> = Omit<ViewerProps<Row>, 'rows'> & { rows: Row[]; chosen: string | undefined }

/** A single tab stop; the arrow keys move the selection. */
function ViewerList<Row extends Identified>({ label, rows, chosen, onOpen, item }: ListProps<Row>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const place = rows.findIndex(({ _id }) => _id === chosen)
  useEffect(() => {
    if (place >= 0) list.current?.children[place]?.scrollIntoView({ block: 'nearest' })
  }, [place])
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    const row = rows[Math.min(Math.max(next, 0), rows.length - 1)]
    if (row !== undefined) onOpen(row._id)
  }
  return (
    <div
      ref={list}
      className={parts.list}
      role="listbox"
      aria-label={label}
      aria-activedescendant={place >= 0 ? `${id}-${place}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        // Biome requires a key handler beside a click handler; the surrounding list handles the keys of all rows.
        <div
          key={row._id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === place}
          className={`${parts.item} ${index === place ? parts.chosen : ''}`}
          onClick={() => onOpen(row._id)}
          onKeyDown={onKeyDown}
        >
          {item(row)}
        </div>
      ))}
    </div>
  )
}
