import type { ReconciliationDay } from '@atrium/contract/reconciliation/desk-calls.ts'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { placeOf } from '../../ui/charts/short-amount.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { calendarDay } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CompareButton } from './compare-button.tsx'
import parts from './reconciliation.module.css'
import type { ReconciliationSearch } from './reconciliation-search.ts'
import { type Gross, grossOf } from './reconciliation-sums.ts'
import type { Days } from './use-reconciliation.ts'

type DaysListProps = {
  days: UseQueryResult<Days>
  search: ReconciliationSearch
  chosen: string | undefined
  mayDecide: boolean
  onClear: () => void
}

const skeleton = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

export function DaysList({
  days: { data, isError, error, refetch },
  search,
  chosen,
  mayDecide,
  onClear,
}: DaysListProps) {
  const { t } = useTranslation()
  if (isError && !data) return <ErrorState error={error} holds={t('Nothing was changed.')} onRetry={() => refetch()} />
  if (data?.days.length === 0 && Object.keys(search).length > 0) return <NoMatches onClear={onClear} />
  if (data?.days.length === 0)
    return (
      <EmptyState
        drawing="list"
        title={t('No day was compared yet')}
        text={t('The last days are compared each night. Other days are compared when somebody asks.')}
        action={mayDecide && <CompareButton day={data.today} label={t('Compare today')} />}
      />
    )
  // One scale per currency: the longest bar is the largest day on the page.
  const largest = new Map<string, number>()
  for (const { sums } of data?.days ?? [])
    for (const { currency, ...sides } of grossOf(sums))
      largest.set(
        currency,
        Math.max(largest.get(currency) ?? 0, ...Object.values(sides).map((side) => placeOf(side ?? '0'))),
      )
  return (
    <ul className={parts.days} aria-label={t('Days')} aria-busy={!data}>
      {!data &&
        skeleton.map((key) => (
          <li key={key} className={parts.day} aria-hidden>
            <Skeleton height={12} width="45%" />
            <Skeleton height={16} />
          </li>
        ))}
      {data && isTodayMissing(data, search) && mayDecide && (
        <li className={parts.day}>
          <CompareButton day={data.today} label={t('Compare today so far')} />
        </li>
      )}
      {data?.days.map((day) => (
        <li key={day.day}>
          <Link
            to="/reconciliation/{-$day}"
            params={{ day: day.day }}
            search={search}
            className={`${parts.day} ${day.day === chosen ? parts.chosen : ''}`}
            aria-current={day.day === chosen ? 'true' : undefined}
          >
            <DayRow day={day} largest={largest} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Today is reconciled only on request; a filtered list does not offer it. */
const isTodayMissing = ({ days, today }: Days, search: ReconciliationSearch): boolean =>
  Object.keys(search).length === 0 && days[0]?.day !== today

/** The day, in the calendar of the brokerage's time zone. */
function DayRow({ day, largest }: { day: ReconciliationDay; largest: Map<string, number> }) {
  const { t } = useTranslation()
  return (
    <>
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
    </>
  )
}

export function DayState({ day: { state, open, explained, platforms } }: { day: ReconciliationDay }) {
  const { t } = useTranslation()
  if (state === 'asked') return <StatusPill meaning="blue" label={t('Being read')} isMoving />
  if (open > 0) return <StatusPill meaning="amber" label={t('Differences: {{count}}', { count: open })} />
  if (platforms.some(({ problem }) => problem !== null))
    return <StatusPill meaning="grey" label={t('Not read in full')} />
  if (explained > 0) return <StatusPill meaning="green" label={t('Explained: {{count}}', { count: explained })} />
  return <StatusPill meaning="green" label={t('Agrees')} />
}

/** Turnover according to portal, provider and platform, as bars. The day itself shows the figures. */
function Bars({ gross, most }: { gross: Gross; most: number }) {
  const { t } = useTranslation()
  const sides = [
    { name: 'portal', amount: gross.portal },
    { name: 'provider', amount: gross.provider },
    { name: 'platform', amount: gross.platform },
  ] as const
  const width = (figure: string | null) => (figure === null || most === 0 ? 0 : (placeOf(figure) / most) * 100)
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
