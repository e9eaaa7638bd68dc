import { DepositDesk } from '../features/desk-deposits/deposit-desk.tsx'
import { useDeskUser } from '../features/desk-session/desk-session.ts'
import { mayDecideMoney } from '../features/desk-session/staff-role.ts'

export function DepositsPage() {
  return <DepositDesk mayDecide={mayDecideMoney(useDeskUser().type)} />
}
