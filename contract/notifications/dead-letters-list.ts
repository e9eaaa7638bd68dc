import { choice, declareList, search } from '../list.ts'
import { deadLetterStates } from './mail-states.ts'

/** Mails that did not get through and that nobody has seen to. Searched for in the address and the subject. */
export const mailsList = declareList({ name: 'mails', filters: { q: search, state: choice(deadLetterStates) } })
