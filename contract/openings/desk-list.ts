import { choice, declareList, id, search } from '../list.ts'
import { accountKinds, openingStates } from './states.ts'

/** Openings that members requested. Search matches prefixes of the member's names, emails, customer numbers and logins. */
export const openingsList = declareList({
  name: 'openings',
  filters: { q: search, state: choice(openingStates), kind: choice(accountKinds), platform: id },
})
