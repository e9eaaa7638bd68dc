import { OpeningsDesk } from '../features/desk-openings/openings-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function OpeningsPage() {
  return <OpeningsDesk mayDecide={useHolds()('money.decide')} />
}
