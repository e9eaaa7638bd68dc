import { choice, choiceOr, declareList, id, search } from '../list.ts'
import { ticketPriorities, ticketStates } from './states.ts'

/**
 * The board of tickets. Searched for by a number, a customer number, beginnings of the member's names, or a part of the
 * subject; `mine` are those that whoever asks has taken.
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
