import { useDeskUser, useHolds } from '../features/desk-session/desk-session.ts'
import { TicketDesk } from '../features/desk-tickets/ticket-desk.tsx'

export function TicketsPage() {
  return <TicketDesk staffId={useDeskUser()._id} mayAnswer={useHolds()('tickets.answer')} />
}
