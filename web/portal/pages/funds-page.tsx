import type { Scope } from '@atrium/contract/access/scopes.ts'
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useIsOpen } from '../../features/session/session.ts'
import { bringIntoView } from '../../ui/layout/bring-into-view.ts'
import tabParts from '../../ui/lists/tabs.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './funds-page.module.css'

const tabs: { scope: Scope; label: string; to: string }[] = [
  { scope: 'deposit', label: 'Deposits', to: '/funds/deposit' },
  { scope: 'withdraw', label: 'Withdrawals', to: '/funds/withdraw' },
  { scope: 'transactions', label: 'Transactions', to: '/funds/transactions' },
  { scope: 'bank-accounts', label: 'Bank Accounts', to: '/funds/bank-accounts' },
  { scope: 'other-accounts', label: 'Other Accounts', to: '/funds/other-accounts' },
]

function useTabs() {
  const isOpen = useIsOpen()
  return tabs.filter(({ scope }) => isOpen(scope))
}

/** Deposits, withdrawals and transactions, one tab each. */
export function FundsPage() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  return (
    <>
      <nav className={parts.tabs} aria-label={t('Funds')}>
        <div className={parts.row}>
          {useTabs().map(({ to, label }) => {
            // Deposits has two addresses: for live accounts and for demo accounts.
            const isHere = pathname.startsWith(to)
            return (
              <Link
                key={to}
                ref={isHere ? bringIntoView : undefined}
                to={to}
                className={`${tabParts.tab} ${isHere ? tabParts.here : ''}`}
                aria-current={isHere ? 'page' : undefined}
              >
                {t(label)}
              </Link>
            )
          })}
        </div>
      </nav>
      <Outlet />
    </>
  )
}

/** `/funds` redirects to the first open tab. */
export function FundsStart() {
  const first = useTabs()[0]
  return <Navigate to={first?.to ?? '/unauthorized'} replace />
}
