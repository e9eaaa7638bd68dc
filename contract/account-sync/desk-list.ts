import { accountAccesses } from '../accounts/access.ts'
import { choice, choiceOr, declareList, id, order, search } from '../list.ts'
import { accountKinds } from '../openings/states.ts'
import { deskAccountOrders, deskAccountStates, differenceKinds, differenceStates } from './states.ts'

/** Search matches prefixes of account numbers and of the owner's names, emails and customer number. */
export const accountsList = declareList({
  name: 'accounts',
  filters: {
    q: search,
    platform: id,
    kind: choice(accountKinds),
    access: choice(accountAccesses),
    state: choice(deskAccountStates),
    order: order(deskAccountOrders, 'newest'),
  },
})

/** Open discrepancies oldest first, others newest first. */
export const differencesList = declareList({
  name: 'account-differences',
  rows: 'differences',
  filters: { state: choiceOr(differenceStates, 'open'), kind: choice(differenceKinds), platform: id },
})
