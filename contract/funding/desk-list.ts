import { choiceFirst, day, declareList, order, search } from '../list.ts'
import { transactionStates } from './states.ts'

const ended: readonly unknown[] = ['approved', 'rejected', 'cancelled', 'all']

/**
 * Searches by ticket, amount, reference or prefixes of the member's names; days are inclusive, in the brokerage's time
 * zone. Queues are sorted oldest first, histories newest first.
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
