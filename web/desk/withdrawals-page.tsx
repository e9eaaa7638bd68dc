import { useHolds } from '../features/desk-session/desk-session.ts'
import { WithdrawalDesk } from '../features/desk-withdrawals/withdrawal-desk.tsx'

export function WithdrawalsPage() {
  return <WithdrawalDesk mayDecide={useHolds()('money.decide')} />
}
