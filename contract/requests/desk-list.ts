import { choice, choiceOr, declareList, id, search } from '../list.ts'
import { requestStates } from './states.ts'

/**
 * The board of requests. Search matches a number, a customer number, prefixes of the member's names, or a part of the subject;
 * `mine` are those assigned to the caller.
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
