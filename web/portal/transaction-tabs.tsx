import { Link, useLocation } from '@tanstack/react-router'
import tabParts from '../ui/lists/tabs.module.css'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useHasPendingDeposits } from './use-has-pending-deposits.ts'

/** Of the second tab. */
export const pendingHeading = { title: 'Pending Deposits', help: 'Crypto deposits that have not arrived yet.' }

type View = 'all' | 'pending'
const views: { view: View; label: string }[] = [
  { view: 'all', label: 'All Transactions' },
  { view: 'pending', label: pendingHeading.title },
]

/** The list has two addresses, and links stay within the current one. */
export const useTransactionsAddress = (): '/funds/transactions' | '/transactions' =>
  useLocation().pathname.startsWith('/funds') ? '/funds/transactions' : '/transactions'

/** Transactions, and pending deposits if that feature is on. */
export function TransactionTabs({ here }: { here: View }) {
  const { t } = useTranslation()
  const to = useTransactionsAddress()
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
