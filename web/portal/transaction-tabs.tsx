import { Link } from '@tanstack/react-router'
import tabParts from '../ui/lists/tabs.module.css'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useHasPendingDeposits } from './use-has-pending-deposits.ts'

type View = 'all' | 'pending'
const views: { view: View; label: string }[] = [
  { view: 'all', label: 'All Transactions' },
  { view: 'pending', label: 'Pending Deposits' },
]

/** Transactions, and pending deposits if that feature is on; the list has two addresses. */
export function TransactionTabs({ here, to }: { here: View; to: '/funds/transactions' | '/transactions' }) {
  const { t } = useTranslation()
  if (!useHasPendingDeposits()) return null
  return (
    <nav className={tabParts.tabs} aria-label={t('Transactions')}>
      {views.map(({ view, label }) => (
        <Link
          key={view}
          to={to}
          search={(view === 'pending' ? { view } : {}) as never}
          activeOptions={{ exact: true, includeSearch: true }}
          className={`${tabParts.tab} ${view === here ? tabParts.here : ''}`}
          aria-current={view === here ? 'page' : undefined}
        >
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
