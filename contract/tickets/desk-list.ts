import { choice, choiceOr, declareList, id, search } from '../list.ts'
import { ticketPriorities, ticketStates } from './states.ts'

/**
 * The board of tickets. Search matches a number, a customer number, prefixes of the member's names, or a part of the subject;
 * `mine` are those assigned to the caller.
 */
export const ticketsList = declareList({
  name: 'tickets',
  filters: {
    state: choiceOr(ticketStates, 'open'),
    q: search,
    mine: choice(['yes']),
    priority: choice(ticketPriorities),
    member: id,
  },
})
