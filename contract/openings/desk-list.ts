import { choice, declareList, id, search } from '../list.ts'
import { accountKinds, openingStates } from './states.ts'

/** What members asked to have opened. Searched for by the member: beginnings of names, emails, customer numbers and logins. */
export const openingsList = declareList({
  name: 'openings',
  filters: { q: search, state: choice(openingStates), kind: choice(accountKinds), platform: id },
})
