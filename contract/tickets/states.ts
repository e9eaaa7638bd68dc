import { knownOr } from '../unknown-values.ts'

/** The states of a ticket; separate from its calls, so that a URL can contain one without their schemas. */
export const ticketStates = ['open', 'taken', 'resolved', 'closed'] as const
export type TicketState = (typeof ticketStates)[number]

export const ticketTypes = ['general', 'profile'] as const

export const ticketPriorities = ['low', 'medium', 'high'] as const
export type TicketPriority = (typeof ticketPriorities)[number]

type Moves = Readonly<Record<TicketState, readonly TicketState[]>>

/**
 * Legal state transitions, by actor; a database trigger enforces the same table. A closed ticket was merged into another one, and
 * is final.
 */
export const ticketMoves: Record<'member' | 'staff', Moves> = {
  member: knownOr([], {
    open: ['taken', 'resolved'],
    taken: ['open', 'resolved'],
    resolved: ['open', 'taken'],
    closed: [],
  }),
  staff: knownOr([], {
    open: ['taken', 'resolved', 'closed'],
    taken: ['open', 'resolved', 'closed'],
    resolved: ['open', 'taken', 'closed'],
    closed: [],
  }),
}

/** The specification has more values than there are states: the states that each value of its picker and lists means. */
export const ticketStatusLabels: Readonly<Record<string, readonly TicketState[]>> = {
  open: ['open'],
  taken: ['taken'],
  in_progress: ['taken'],
  resolved: ['resolved', 'closed'],
  closed: ['resolved', 'closed'],
}
