import { Skeleton } from '@mantine/core'
import type { BarSeries } from '../../ui/charts/bars.ts'
import { GroupedBars } from '../../ui/charts/grouped-bars.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './dashboard.module.css'
import type { CurrencyTotals } from './use-dashboard.ts'

const statuses = ['approved', 'pending', 'rejected'] as const

/** One chart per currency: deposits beside withdrawals, by outcome. */
export function CurrencyCharts({ currencies }: { currencies: CurrencyTotals[] | undefined }) {
  const { t } = useTranslation()
  const series: BarSeries[] = [
    { label: t('Approved'), meaning: 'green' },
    { label: t('Pending'), meaning: 'amber' },
    { label: t('Rejected'), meaning: 'red' },
  ]
  return (
    <div className={parts.charts} aria-busy={!currencies}>
      {!currencies && (
        <Card className={parts.chart}>
          <Skeleton height={300} />
        </Card>
      )}
      {currencies?.map(({ currency, deposits, withdrawals }) => (
        <Card key={currency} className={parts.chart}>
          <GroupedBars
            title={currency}
            label={t('Deposits and withdrawals in {{currency}}', { currency })}
            currency={currency}
            series={series}
            groups={[
              { label: t('Deposits'), amounts: statuses.map((status) => deposits[status].total) },
              { label: t('Withdrawals'), amounts: statuses.map((status) => withdrawals[status].total) },
            ]}
          />
        </Card>
      ))}
    </div>
  )
}
