import { choiceFirst, declareList, order, search } from '../list.ts'
import { documentStatuses } from './states.ts'

const waiting: readonly unknown[] = [undefined, 'in_verification', 'pending']

/** Searched for by a customer number, or a part of the name or of the title. What waits longest is looked at first. */
export const documentsList = declareList({
  name: 'documents',
  isNumbered: true,
  filters: {
    state: choiceFirst(documentStatuses, 'in_verification'),
    q: search,
    order: order(['oldest', 'newest'], 'oldest', ({ state }) => (waiting.includes(state) ? 'oldest' : 'newest')),
  },
})
