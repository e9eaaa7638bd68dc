import { Button, Skeleton } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, Suspense, useId, useRef, useState } from 'react'
import type { Meaning } from '../brand/theme.ts'
import { useWhileVisible } from '../money/while-visible.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './chart-frame.module.css'

export type ChartTable = { heads: string[]; rows: { key: string; name: string; cells: ReactNode[] }[] }

type ChartFrameProps = {
  title: ReactNode
  /** The chart's accessible name, and the caption of its table. */
  label: string
  /** Beside the title: the range, or the latest value. */
  more?: ReactNode
  legend?: { label: string; meaning: Meaning }[]
  table: ChartTable
  /** Shown in place of an empty chart. */
  empty?: string | undefined
  /** No data has arrived yet. */
  isLoading?: boolean
  children: ReactNode
}

/** The frame of every chart: title, legend, and the same data as a table. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, more, legend, empty, isLoading = false } = props
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  const hasData = empty === undefined && !isLoading
  return (
    <section data-stack="md" data-shrink aria-labelledby={id}>
      <div data-group="md" data-lines="sm" data-align="center" data-justify="between">
        <h3 className={parts.title} id={id}>
          {title}
        </h3>
        <div data-group="md" data-lines="sm" data-align="center" data-justify="between">
          {more}
          {hasData && <TableToggle isTable={isTable} onToggle={() => setIsTable(!isTable)} />}
        </div>
      </div>
      {hasData ? (
        isTable ? (
          <ValuesTable {...props} />
        ) : (
          <Drawing>{props.children}</Drawing>
        )
      ) : (
        <div className={parts.room}>
          {isLoading ? <Skeleton height="100%" /> : <p className={parts.empty}>{empty}</p>}
        </div>
      )}
      {hasData && legend && <Legend entries={legend} />}
    </section>
  )
}

function TableToggle({ isTable, onToggle }: { isTable: boolean; onToggle: () => void }) {
  const { t } = useTranslation()
  const Icon = isTable ? IconChartBar : IconTable
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
      onClick={onToggle}
    >
      {isTable ? t('Show as chart') : t('Show as table')}
    </Button>
  )
}

/** The chart library is loaded when a chart is about to be seen; its space is reserved before. */
function Drawing({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const wait = <Skeleton height="100%" />
  const drawn = useWhileVisible(place, children, null)
  return (
    <div className={parts.room} ref={place}>
      {drawn === null ? wait : <Suspense fallback={wait}>{drawn}</Suspense>}
    </div>
  )
}

function Legend({ entries }: { entries: { label: string; meaning: Meaning }[] }) {
  return (
    <ul className={parts.legend}>
      {entries.map(({ label, meaning }) => (
        <li key={label} className={parts[meaning]}>
          {label}
        </li>
      ))}
    </ul>
  )
}

function ValuesTable({ label, table }: ChartFrameProps) {
  return (
    <section className={parts.scroll} aria-label={label}>
      <table className={parts.table}>
        <thead>
          <tr>
            {table.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              {row.cells.map((cell, index) => (
                <td key={table.heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
