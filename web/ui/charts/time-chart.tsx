import { lazy, type ReactNode } from 'react'
import { Amount } from '../money/amount.tsx'
import { day, time } from '../text/format.ts'
import { ChartFrame } from './chart-frame.tsx'
import type { TimePoint } from './time-point.ts'

const DrawnTime = lazy(async () => ({ default: (await import('./drawn-time.tsx')).DrawnTime }))

type TimeChartProps = {
  title: ReactNode
  label: string
  currency: string
  /** The name of the values, e.g. "Equity". */
  name: string
  points: TimePoint[]
  /** The start of the displayed range, even before the first point. */
  from: number
  to: number
  more?: ReactNode
  empty?: string | undefined
  isLoading?: boolean
}

/** One amount over time. The table is newest first. */
export function TimeChart(props: TimeChartProps) {
  const { title, label, currency, name, points, from, to, more, empty, isLoading } = props
  const table = {
    heads: ['', name],
    rows: points.toReversed().map(({ at, amount }) => ({
      key: String(at),
      name: `${day(at)} ${time(at)}`,
      cells: [<Amount key="amount" amount={amount} currency={currency} />],
    })),
  }
  return (
    <ChartFrame
      title={title}
      label={label}
      more={more}
      table={table}
      empty={points.length === 0 ? empty : undefined}
      isLoading={isLoading ?? false}
    >
      <DrawnTime label={label} currency={currency} name={name} points={points} from={from} to={to} />
    </ChartFrame>
  )
}
