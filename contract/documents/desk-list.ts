import { choiceFirst, declareList, order, search } from '../list.ts'
import { documentStatuses } from './states.ts'

const waiting: readonly unknown[] = [undefined, 'in_verification', 'pending']

/** Searches by customer number, or by part of the name or title. The documents that wait longest come first. */
export const documentsList = declareList({
  name: 'documents',
  isNumbered: true,
  filters: {
    state: choiceFirst(documentStatuses, 'in_verification'),
    q: search,
    order: order(['oldest', 'newest'], 'oldest', ({ state }) => (waiting.includes(state) ? 'oldest' : 'newest')),
  },
})
