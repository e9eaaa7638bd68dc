import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Amount } from '../money/amount.tsx'
import type { BarGroup, BarSeries } from './bars.ts'
import parts from './chart-frame.module.css'
import { named, still } from './drawing.ts'
import { Reading } from './reading.tsx'
import { axisMark, placeOf, shortAmount } from './short-amount.ts'

type DrawnBarsProps = { label: string; currency: string; series: BarSeries[]; groups: BarGroup[] }

/** The chart has only rounded positions; labels and tooltips use the exact text of the group. */
export function DrawnBars({ label, currency, series, groups }: DrawnBarsProps) {
  const rows = groups.map((group) => ({
    group: group.label,
    ...Object.fromEntries(
      series.flatMap((one, index) => {
        const amount = group.amounts[index] ?? '0'
        return [
          [one.label, placeOf(amount)],
          [shortKey(one.label), shortAmount(amount)],
        ]
      }),
    ),
  }))
  const read = (name: unknown) => {
    const group = groups.find((one) => one.label === name)
    if (!group) return null
    const lines = series.map((one, index) => ({
      ...one,
      value: <Amount amount={group.amounts[index]} currency={currency} />,
    }))
    return <Reading title={group.label} lines={lines} />
  }
  return (
    <BarChart
      className={parts.drawing ?? ''}
      data={rows}
      dataKey="group"
      series={series.map((one) => ({ name: one.label, color: `var(--${one.meaning}-mark)` }))}
      maxBarWidth={44}
      withBarValueLabel
      valueLabelProps={(one) => ({ dataKey: shortKey(one.name), formatter: asItIs, fill: 'var(--text-soft)' })}
      barProps={{ ...still, radius: [4, 4, 0, 0] }}
      barChartProps={{ ...named(label), margin: { top: 20, right: 4, bottom: 4, left: 14 }, barGap: 6 }}
      yAxisProps={{ width: 'auto', tickFormatter: axisMark, tickCount: 4 }}
      tickLine="none"
      strokeDasharray="0"
      tooltipProps={{ ...still, content: ({ label: name, active }) => (active ? read(name) : null) }}
    />
  )
}

const asItIs = <Text,>(text: Text): Text => text
const shortKey = (name: string) => `${name} in short`
