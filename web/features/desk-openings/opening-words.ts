import type { openingStates } from '@atrium/contract/opening-states.ts'
import type { Meaning } from '../../ui/theme.ts'

type State = (typeof openingStates)[number]
type Words = { meaning: Meaning; label: string; about?: string }

export const openingWords: Record<State, Words> = {
  ready: { meaning: 'blue', label: 'Being opened' },
  sending: { meaning: 'blue', label: 'On its way' },
  unknown: {
    meaning: 'blue',
    label: 'Being checked',
    about:
      'The platform gave no answer. The account is looked for by its tag, at least once a minute, until it is found or proven not to be there. Nothing is sent again, and the member is told by mail.',
  },
  done: { meaning: 'green', label: 'Opened' },
  rejected: { meaning: 'red', label: 'Refused', about: 'The platform said no. The member may try again at once.' },
  not_executed: {
    meaning: 'grey',
    label: 'Not sent',
    about: 'It never reached the platform. The member may try again.',
  },
  not_opened: {
    meaning: 'amber',
    label: 'Not opened',
    about:
      'Looked for and not there. The member was told by mail and may try again. It is looked for once more three hours later.',
  },
}

export const isMoving = (state: State): boolean => ['ready', 'sending', 'unknown'].includes(state)
/** Where nobody knows of an account, it can be looked for. */
export const isInDoubt = (state: State): boolean => state === 'unknown' || state === 'not_opened'
