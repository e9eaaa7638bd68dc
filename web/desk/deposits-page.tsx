import { DepositDesk } from '../features/desk-deposits/deposit-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function DepositsPage() {
  return <DepositDesk mayDecide={useHolds()('money.decide')} />
}
