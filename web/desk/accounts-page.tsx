import { useParams } from '@tanstack/react-router'
import { AccountDesk } from '../features/desk-accounts/account-desk.tsx'
import { DifferencesDesk } from '../features/desk-accounts/differences-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function AccountDifferencesPage() {
  return <DifferencesDesk mayDecide={useHolds()('money.decide')} />
}

export function TradingAccountPage() {
  const { accountId } = useParams({ from: '/signed-in/accounts/$accountId' })
  return <AccountDesk accountId={accountId} mayDecide={useHolds()('money.decide')} />
}
