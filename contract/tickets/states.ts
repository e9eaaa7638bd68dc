/** Where a ticket can stand; apart from its calls, so that an address can name one without their schemas. */
export const ticketStates = ['open', 'taken', 'resolved', 'closed'] as const
export type TicketState = (typeof ticketStates)[number]

export const ticketTypes = ['general', 'profile'] as const

export const ticketPriorities = ['low', 'medium', 'high'] as const
export type TicketPriority = (typeof ticketPriorities)[number]

type Moves = Readonly<Record<TicketState, readonly TicketState[]>>

/**
 * Legal moves, by whoever makes them; nothing else sets a state, and a trigger in the database holds the same table. Closed
 * is a ticket whose conversation goes on in another one: it is the end.
 */
export const ticketMoves: Record<'member' | 'staff', Moves> = {
  member: { open: ['taken', 'resolved'], taken: ['open', 'resolved'], resolved: ['open', 'taken'], closed: [] },
  staff: {
    open: ['taken', 'resolved', 'closed'],
    taken: ['open', 'resolved', 'closed'],
    resolved: ['open', 'taken', 'closed'],
    closed: [],
  },
}

/** The specification knows more words than there are states: what its picker and its lists mean by each. */
export const ticketStatusLabels: Readonly<Record<string, readonly TicketState[]>> = {
  open: ['open'],
  taken: ['taken'],
  in_progress: ['taken'],
  resolved: ['resolved', 'closed'],
  closed: ['resolved', 'closed'],
}
