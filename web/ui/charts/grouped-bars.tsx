import { lazy, type ReactNode } from 'react'
import { Amount } from '../amount.tsx'
import type { Meaning } from '../theme.ts'
import { ChartFrame } from './chart-frame.tsx'

const DrawnBars = lazy(async () => ({ default: (await import('./drawn-bars.tsx')).DrawnBars }))

/** One colour of bars, by its meaning. */
export type BarSeries = { label: string; meaning: Meaning }
/** What stands together: a figure for each series, in the order of the series. */
export type BarGroup = { label: string; figures: string[] }

type GroupedBarsProps = {
  title: ReactNode
  label: string
  currency: string
  series: BarSeries[]
  groups: BarGroup[]
  empty?: string | undefined
}

/** Amounts of one currency side by side. Different currencies never share an axis: each has a chart of its own. */
export function GroupedBars({ title, label, currency, series, groups, empty }: GroupedBarsProps) {
  const table = {
    heads: [currency, ...groups.map((group) => group.label)],
    rows: series.map((one, index) => ({
      key: one.label,
      name: one.label,
      cells: groups.map((group) => (
        <Amount key={group.label} amount={group.figures[index]} currency={currency} isBare />
      )),
    })),
  }
  return (
    <ChartFrame title={title} label={label} legend={series} table={table} empty={empty}>
      <DrawnBars label={label} currency={currency} series={series} groups={groups} />
    </ChartFrame>
  )
}
