import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from '../../ui/layout/page.tsx'
import { MovingAmount } from '../../ui/money/moving-amount.tsx'
import { percent } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './account-metrics.module.css'
import { BalanceTime } from './account-parts.tsx'
import type { AccountDetail } from './use-account.ts'

/** The account's metrics, the balance first. */
export function AccountMetrics({ account, isSyncing }: { account: AccountDetail; isSyncing: boolean }) {
  const { t } = useTranslation()
  const money = (amount: string | null) => <MovingAmount amount={amount} currency={account.currency} />
  return (
    <Card className={parts.metrics} data-pad="xl">
      <section className={parts.row} aria-label={t('Balance and equity')} aria-busy={isSyncing}>
        <div className={parts.first}>
          <p className={parts.name}>{t('Balance')}</p>
          <MovingAmount amount={account.balance} currency={account.currency} size="large" />
          {!isSyncing && (
            <div>
              <BalanceTime account={account} />
            </div>
          )}
        </div>
        <dl className={parts.rest}>
          <Metric name={t('Equity')}>{money(account.equity)}</Metric>
          <Metric name={t('Floating P&L')}>
            <MovingAmount amount={account.trade_info?.floating_pnl} currency={account.currency} isResult />
          </Metric>
          <Metric name={t('Margin')}>{money(account.margin)}</Metric>
          <Metric name={t('Free margin')}>{money(account.margin_free)}</Metric>
          <Metric name={t('Margin level')}>{percent(account.margin_level)}</Metric>
        </dl>
      </section>
    </Card>
  )
}

function Metric({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className={parts.name}>{name}</dt>
      <dd className={parts.value}>{children}</dd>
    </div>
  )
}

export function AccountMetricsSkeleton() {
  return (
    <Card className={parts.metrics} data-pad="xl">
      <div className={parts.row} aria-hidden>
        <div className={parts.first}>
          <Skeleton height={12} width={64} mb={10} />
          <Skeleton height={32} width={200} />
        </div>
        <div className={parts.rest}>
          {['equity', 'floating', 'margin', 'free', 'level'].map((key) => (
            <div key={key}>
              <Skeleton height={12} width={56} mb={8} />
              <Skeleton height={16} width={96} />
            </div>
          ))}
        </div>
      </div>
    </Card>
  )
}
