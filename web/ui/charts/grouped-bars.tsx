import { lazy, type ReactNode } from 'react'
import { Amount } from '../money/amount.tsx'
import type { BarGroup, BarSeries } from './bars.ts'
import { ChartFrame } from './chart-frame.tsx'

const DrawnBars = lazy(async () => ({ default: (await import('./drawn-bars.tsx')).DrawnBars }))

type GroupedBarsProps = {
  title: ReactNode
  label: string
  currency: string
  series: BarSeries[]
  groups: BarGroup[]
  empty?: string | undefined
}

/** Grouped amounts of one currency. Different currencies never share an axis: each has its own chart. */
export function GroupedBars({ title, label, currency, series, groups, empty }: GroupedBarsProps) {
  const table = {
    heads: [currency, ...groups.map((group) => group.label)],
    rows: series.map((one, index) => ({
      key: one.label,
      name: one.label,
      cells: groups.map((group) => (
        <Amount key={group.label} amount={group.amounts[index]} currency={currency} isBare />
      )),
    })),
  }
  return (
    <ChartFrame title={title} label={label} legend={series} table={table} empty={empty}>
      <DrawnBars label={label} currency={currency} series={series} groups={groups} />
    </ChartFrame>
  )
}
