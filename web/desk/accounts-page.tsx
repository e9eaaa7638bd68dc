import { useParams } from '@tanstack/react-router'
import { AccountDesk } from '../features/desk-accounts/account-desk.tsx'
import { AccountList } from '../features/desk-accounts/account-list.tsx'
import { DifferencesDesk } from '../features/desk-accounts/differences-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'
import { TradesSourceProvider } from '../features/trades/trades-source.ts'
import { TradingTab } from '../features/trades/trading-tab.tsx'
import { tradesOfMembers } from './trades-of-members.ts'

export function AccountListPage() {
  return <AccountList />
}

export function AccountDifferencesPage() {
  return <DifferencesDesk mayDecide={useHolds()('money.decide')} />
}

export function TradingAccountPage() {
  const { accountId } = useParams({ from: '/signed-in/trading-accounts/$accountId' })
  const holds = useHolds()
  return (
    <AccountDesk
      key={accountId}
      accountId={accountId}
      mayDecide={holds('money.decide')}
      mayRestrict={holds('accounts.restrict')}
      {...(holds('money.read') && {
        trades: (account) => (
          <TradesSourceProvider value={tradesOfMembers}>
            <TradingTab account={account} />
          </TradesSourceProvider>
        ),
      })}
    />
  )
}
