import { choiceFirst, day, declareList, order, search } from '../list.ts'
import { transactionStates } from './states.ts'

const ended: readonly unknown[] = ['approved', 'rejected', 'cancelled', 'all']

/**
 * Searched for by a ticket, an amount, a reference, or beginnings of the member's names; days are those of the request, both
 * included, where the brokerage works. Queues are worked oldest first, histories are read newest first.
 */
const filters = {
  state: choiceFirst(transactionStates, 'pending'),
  q: search,
  from: day,
  to: day,
  order: order(['oldest', 'newest'], 'oldest', ({ state }) => (ended.includes(state) ? 'newest' : 'oldest')),
}

export const depositsList = declareList({ name: 'deposits', isNumbered: true, filters })
export const withdrawalsList = declareList({ name: 'withdrawals', isNumbered: true, filters })
