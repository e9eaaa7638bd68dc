import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { useState } from 'react'

/** The dialog that merges a ticket. It stays with its choice when a colleague closes or merges the ticket; the server then says so. */
export function useMerging({ state }: Pick<DeskTicket, 'state'>) {
  const [isOpen, setOpen] = useState(false)
  return { hasActions: state !== 'closed', isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}
