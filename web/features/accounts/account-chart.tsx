import { type MetricsRange, metricsRanges } from '@atrium/contract/accounts/metrics-ranges.ts'
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TimeChart } from '../../ui/charts/time-chart.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './account-chart.module.css'
import { equityOverTime } from './equity/equity-over-time.ts'
import type { AccountDetail } from './use-account.ts'

const rangeLabels: Record<MetricsRange, string> = {
  '1d': '1D',
  '1w': '1W',
  '1m': '1M',
  '3m': '3M',
  '1y': '1Y',
  all: 'All',
}

/** Invalid values in the URL are ignored. */
export const readRange = (value: unknown): MetricsRange => metricsRanges.find((range) => range === value) ?? '1m'

type AccountChartProps = { account: AccountDetail; range: MetricsRange; onRange: (range: MetricsRange) => void }

/** The account's equity over time, up to now. */
export function AccountChart({ account, range, onRange }: AccountChartProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(equityOverTime(account._id, range))
  if (error && !data)
    return (
      <Card>
        <ErrorState error={error} onRetry={() => refetch()} />
      </Card>
    )
  const known = data?.points.map(({ at, equity }) => ({ at, amount: equity })) ?? []
  const isNow = data && account.balance_is_live && account.equity !== null
  const points = isNow ? [...known, { at: data.to, amount: account.equity ?? '' }] : known
  return (
    <Card className={parts.chart}>
      <TimeChart
        title={t('Equity')}
        label={t('Equity of account {{login}} over time', { login: account.platform_login })}
        currency={account.currency}
        name={t('Equity')}
        points={points}
        from={data?.from ?? 0}
        to={data?.to ?? 0}
        isLoading={!data}
        empty={t('No data for this period yet.')}
        more={<RangeChoice range={range} onRange={onRange} />}
      />
    </Card>
  )
}

function RangeChoice({ range, onRange }: Omit<AccountChartProps, 'account'>) {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Time range')}
      value={range}
      onChange={(value) => onRange(readRange(value))}
      data={metricsRanges.map((value) => ({ value, label: t(rangeLabels[value]) }))}
    />
  )
}
