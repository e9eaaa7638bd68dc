import { memberTypes } from '../access/scopes.ts'
import { choice, day, declareList, id, order, search } from '../list.ts'
import { documentsStatuses, memberAccountKinds, memberOrders, memberStatuses } from './states.ts'

/**
 * The brokerage's members. Search matches prefixes of names, emails, customer numbers and logins; `referrer` is the referring sales
 * person; the days are inclusive and refer to the joining date in the brokerage's time zone.
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
