import { PaymentsDesk } from '../features/desk-payments/payments-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function PaymentsPage() {
  return <PaymentsDesk mayDecide={useHolds()('money.decide')} />
}
