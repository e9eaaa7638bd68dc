import { memberTypes } from '../access/scopes.ts'
import { choice, day, declareList, id, order, search } from '../list.ts'
import { documentsStatuses, memberAccountKinds, memberOrders, memberStatuses } from './states.ts'

/**
 * The brokerage's members. Searched for by beginnings of names, emails, customer numbers and logins; `referrer` is the sales
 * person who brought them; the days are those of the joining, both included, where the brokerage works.
 */
export const membersList = declareList({
  name: 'members',
  filters: {
    q: search,
    status: choice(memberStatuses),
    documents: choice(documentsStatuses),
    accounts: choice(memberAccountKinds),
    type: choice(memberTypes),
    referrer: id,
    from: day,
    to: day,
    order: order(memberOrders, 'newest'),
  },
})
