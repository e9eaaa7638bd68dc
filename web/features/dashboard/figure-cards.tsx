import { Skeleton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Amount } from '../../ui/money/amount.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './dashboard.module.css'
import type { CurrencyFigures, Figures } from './use-dashboard.ts'

/** Link targets of the cards; null where that part of the portal is closed. */
export type Ways = { accounts: string | null; profile: string | null; transactions: string | null }

type FigureCardsProps = { figures: Figures | undefined; ways: Ways; from: string | undefined }

const transactions = [
  { label: 'Approved deposits', kind: 'deposits', type: 'deposit', status: 'approved' },
  { label: 'Pending deposits', kind: 'deposits', type: 'deposit', status: 'pending' },
  { label: 'Approved withdrawals', kind: 'withdrawals', type: 'withdrawal', status: 'approved' },
  { label: 'Pending withdrawals', kind: 'withdrawals', type: 'withdrawal', status: 'pending' },
] as const

/** Balances and turnover; each figure links to the records that it counts. */
export function FigureCards({ figures, ways, from }: FigureCardsProps) {
  const { t } = useTranslation()
  return (
    <ul className={parts.cards} aria-label={t('Totals')} aria-busy={!figures}>
      <FigureCard label={t('Total trading accounts')} to={ways.accounts} isKnown={figures !== undefined}>
        {figures && (
          <>
            <span className={parts.count}>{figures.live_accounts + figures.demo_accounts}</span>
            <span className={parts.note}>
              {t('{{live}} live, {{demo}} demo', { live: figures.live_accounts, demo: figures.demo_accounts })}
            </span>
          </>
        )}
      </FigureCard>
      <FigureCard label={t('Total bank accounts')} to={ways.profile} isKnown={figures !== undefined}>
        {figures && (
          <>
            <span className={parts.count}>{figures.bank_accounts}</span>
            <span className={parts.note}>{t('Your own, for withdrawals')}</span>
          </>
        )}
      </FigureCard>
      {transactions.map(({ label, kind, type, status }) => (
        <FigureCard
          key={label}
          label={t(label)}
          to={ways.transactions}
          search={{ kind: 'live', type, status, ...(from && { from }) }}
          isKnown={figures !== undefined}
        >
          {figures && <Moved sums={sumsOf(figures.currencies, kind, status)} />}
        </FigureCard>
      ))}
    </ul>
  )
}

type MovedSum = { currency: string; total: string; count: number }

const sumsOf = (
  currencies: CurrencyFigures[],
  kind: 'deposits' | 'withdrawals',
  status: 'approved' | 'pending',
): MovedSum[] =>
  currencies
    .map((figures) => ({ currency: figures.currency, ...figures[kind][status] }))
    .filter(({ count }) => count > 0)

/** One figure per currency; only the number of transactions covers all of them. */
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

type FigureCardProps = {
  label: string
  to: string | null
  search?: Record<string, string>
  isKnown: boolean
  children: ReactNode
}

function FigureCard({ label, to, search = {}, isKnown, children }: FigureCardProps) {
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
