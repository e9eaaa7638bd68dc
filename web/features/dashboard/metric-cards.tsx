import { Skeleton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Amount } from '../../ui/money/amount.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './dashboard.module.css'
import type { CurrencyTotals, DashboardMetrics } from './use-dashboard.ts'

/** Link targets of the cards; null where that part of the portal is closed. */
export type Ways = { accounts: string | null; profile: string | null; transactions: string | null }

type MetricCardsProps = { metrics: DashboardMetrics | undefined; ways: Ways; from: string | undefined }

const transactions = [
  { label: 'Approved deposits', kind: 'deposits', type: 'deposit', status: 'approved' },
  { label: 'Pending deposits', kind: 'deposits', type: 'deposit', status: 'pending' },
  { label: 'Approved withdrawals', kind: 'withdrawals', type: 'withdrawal', status: 'approved' },
  { label: 'Pending withdrawals', kind: 'withdrawals', type: 'withdrawal', status: 'pending' },
] as const

/** Balances and turnover; each metric links to the records that it counts. */
export function MetricCards({ metrics, ways, from }: MetricCardsProps) {
  const { t } = useTranslation()
  return (
    <ul className={parts.cards} aria-label={t('Totals')} aria-busy={!metrics}>
      <MetricCard label={t('Total trading accounts')} to={ways.accounts} isKnown={metrics !== undefined}>
        {metrics && (
          <>
            <span className={parts.count}>{metrics.live_accounts + metrics.demo_accounts}</span>
            <span className={parts.note}>
              {t('{{live}} live, {{demo}} demo', { live: metrics.live_accounts, demo: metrics.demo_accounts })}
            </span>
          </>
        )}
      </MetricCard>
      <MetricCard label={t('Total bank accounts')} to={ways.profile} isKnown={metrics !== undefined}>
        {metrics && (
          <>
            <span className={parts.count}>{metrics.bank_accounts}</span>
            <span className={parts.note}>{t('Your own, for withdrawals')}</span>
          </>
        )}
      </MetricCard>
      {transactions.map(({ label, kind, type, status }) => (
        <MetricCard
          key={label}
          label={t(label)}
          to={ways.transactions}
          search={{ kind: 'live', type, status, ...(from && { from }) }}
          isKnown={metrics !== undefined}
        >
          {metrics && <Moved sums={sumsOf(metrics.currencies, kind, status)} />}
        </MetricCard>
      ))}
    </ul>
  )
}

type MovedSum = { currency: string; total: string; count: number }

const sumsOf = (
  currencies: CurrencyTotals[],
  kind: 'deposits' | 'withdrawals',
  status: 'approved' | 'pending',
): MovedSum[] =>
  currencies.map((totals) => ({ currency: totals.currency, ...totals[kind][status] })).filter(({ count }) => count > 0)

/** One total per currency; only the number of transactions covers all of them. */
function Moved({ sums }: { sums: MovedSum[] }) {
  const { t } = useTranslation()
  const count = sums.reduce((sum, one) => sum + one.count, 0)
  return (
    <>
      {sums.map(({ currency, total }) => (
        <span key={currency} className={parts.sum}>
          <Amount amount={total} currency={currency} />
        </span>
      ))}
      {count === 0 && <span className={parts.none}>{t('None')}</span>}
      <span className={parts.note}>
        {count === 1 ? t('1 transaction') : t('{{number}} transactions', { number: count })}
      </span>
    </>
  )
}

type MetricCardProps = {
  label: string
  to: string | null
  search?: Record<string, string>
  isKnown: boolean
  children: ReactNode
}

function MetricCard({ label, to, search = {}, isKnown, children }: MetricCardProps) {
  const content = (
    <>
      <span className={parts.label}>
        {label}
        {to && <IconChevronRight size={16} stroke={1.5} aria-hidden />}
      </span>
      {isKnown ? children : <LoadingSkeleton />}
    </>
  )
  return (
    <li className={parts.card}>
      {to ? (
        <Link to={to} search={search as never} className={parts.way}>
          {content}
        </Link>
      ) : (
        <div className={parts.still}>{content}</div>
      )}
    </li>
  )
}

function LoadingSkeleton() {
  return (
    <>
      <Skeleton height={28} width={120} />
      <Skeleton height={12} width={90} />
    </>
  )
}
