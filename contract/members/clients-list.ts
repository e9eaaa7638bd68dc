import { limits } from '../limits.ts'
import { choice, declareList, order, search } from '../list.ts'

export const clientStatuses = ['active', 'invited', 'locked'] as const
const clientSorts = ['name', 'customer_number', 'status', 'live_count', 'demo_count'] as const

/** The clients whom a sales person referred. Searches a part of the name, or the number. */
export const clientsList = declareList({
  name: 'clients',
  isNumbered: true,
  pageSize: limits.clientsPageSize,
  filters: {
    q: search,
    status: choice(clientStatuses),
    sort: order(clientSorts, 'name'),
    order: order(['asc', 'desc'], 'asc'),
  },
})
