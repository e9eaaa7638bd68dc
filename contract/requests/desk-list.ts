import { choice, choiceOr, declareList, id, search } from '../list.ts'
import { requestStates } from './states.ts'

/**
 * The board of requests. Searched for by a number, a customer number, beginnings of the member's names, or a part of the
 * subject; `mine` are those that are given to whoever asks.
 */
export const requestsList = declareList({
  name: 'requests',
  filters: {
    status: choiceOr(requestStates, 'not-assigned'),
    q: search,
    mine: choice(['yes']),
    type: id,
    member: id,
  },
})
