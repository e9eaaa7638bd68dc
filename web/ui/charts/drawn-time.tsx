import { AreaChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Amount } from '../money/amount.tsx'
import { day, time } from '../text/format.ts'
import parts from './chart-frame.module.css'
import { named, still } from './drawing.ts'
import { Reading } from './reading.tsx'
import { axisMark, placeOf } from './short-amount.ts'
import { timeMark, timeMarks } from './time-marks.ts'
import type { TimePoint } from './time-point.ts'

type DrawnTimeProps = {
  label: string
  currency: string
  name: string
  points: TimePoint[]
  from: number
  to: number
}

/** A line over its area. The axis need not start at zero: the chart shows changes. */
export function DrawnTime({ label, currency, name, points, from, to }: DrawnTimeProps) {
  const rows = points.map(({ at, amount }) => ({ at, [name]: placeOf(amount) }))
  const read = (at: unknown) => {
    const point = points.find((one) => one.at === at)
    if (!point) return null
    const value = <Amount amount={point.amount} currency={currency} />
    return <Reading title={`${day(point.at)} ${time(point.at)}`} lines={[{ label: name, meaning: 'accent', value }]} />
  }
  return (
    <AreaChart
      className={parts.drawing ?? ''}
      data={rows}
      dataKey="at"
      series={[{ name, color: 'var(--accent-text)' }]}
      curveType="linear"
      withDots={points.length < 3}
      fillOpacity={0.12}
      strokeWidth={1.5}
      tickLine="none"
      strokeDasharray="0"
      areaProps={still}
      areaChartProps={{ ...named(label), margin: { top: 8, right: 12, bottom: 4, left: 14 } }}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: [from, to],
        ticks: timeMarks(from, to),
        tickFormatter: (at: number) => timeMark(at, to - from),
        minTickGap: 24,
      }}
      yAxisProps={{ width: 'auto', tickFormatter: axisMark, tickCount: 4, domain: ['auto', 'auto'] }}
      tooltipProps={{ ...still, content: ({ label: at, active }) => (active ? read(at) : null) }}
    />
  )
}
