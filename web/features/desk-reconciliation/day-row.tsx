import type { ReconciliationDay } from '@atrium/contract/reconciliation/desk-calls.ts'
import { VisuallyHidden } from '@mantine/core'
import { placeOf } from '../../ui/charts/short-amount.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { calendarDay } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './reconciliation.module.css'
import { type Gross, grossOf } from './reconciliation-sums.ts'

/** The day, in the calendar of the brokerage's time zone. */
export function DayRow({ day, largest }: { day: ReconciliationDay; largest: Map<string, number> }) {
  const { t } = useTranslation()
  return (
    <span data-stack="sm">
      <span className={parts.head}>
        <span className={parts.date}>{calendarDay(day.day)}</span>
        <DayState day={day} />
      </span>
      {grossOf(day.sums).map((gross) => (
        <span key={gross.currency} className={parts.gross}>
          <Bars gross={gross} most={largest.get(gross.currency) ?? 0} />
          <Amount amount={gross.portal} currency={gross.currency} />
        </span>
      ))}
      {day.sums.length === 0 && day.state === 'compared' && (
        <span className={parts.quiet}>{t('No transactions.')}</span>
      )}
    </span>
  )
}

export function DayState({ day: { state, open, explained, platforms } }: { day: ReconciliationDay }) {
  const { t } = useTranslation()
  if (state === 'asked') return <StatusPill meaning="blue" label={t('In progress')} isMoving />
  if (open > 0) return <StatusPill meaning="amber" label={t('Differences: {{count}}', { count: open })} />
  if (platforms.some(({ problem }) => problem !== null)) return <StatusPill meaning="grey" label={t('Incomplete')} />
  if (explained > 0) return <StatusPill meaning="green" label={t('Explained: {{count}}', { count: explained })} />
  return <StatusPill meaning="green" label={t('Matched')} />
}

/** Turnover according to portal, provider and platform, as bars. The day itself shows the amounts. */
function Bars({ gross, most }: { gross: Gross; most: number }) {
  const { t } = useTranslation()
  const sides = [
    { name: 'portal', amount: gross.portal },
    { name: 'provider', amount: gross.provider },
    { name: 'platform', amount: gross.platform },
  ] as const
  const width = (value: string | null) => (value === null || most === 0 ? 0 : (placeOf(value) / most) * 100)
  return (
    <>
      <svg className={parts.bars} viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden>
        {sides.map(({ name, amount }, index) => (
          <rect key={name} className={parts[name]} x={0} y={index * 6} width={width(amount)} height={4} />
        ))}
      </svg>
      <VisuallyHidden>{t('Volume in {{currency}}', gross)}</VisuallyHidden>
    </>
  )
}
