import { choice, declareList, search } from '../list.ts'
import { deadLetterStates } from './states.ts'

/** Undelivered mails that staff have not handled. Search matches the address and the subject. */
export const mailsList = declareList({ name: 'mails', filters: { q: search, state: choice(deadLetterStates) } })
