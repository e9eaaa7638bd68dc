import { ReconciliationDesk } from '../features/desk-reconciliation/reconciliation-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function ReconciliationPage() {
  return <ReconciliationDesk mayDecide={useHolds()('money.decide')} />
}
