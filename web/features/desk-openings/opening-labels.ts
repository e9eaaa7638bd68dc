import type { openingStates } from '@atrium/contract/openings/states.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

type State = (typeof openingStates)[number]
type OpeningLabel = { meaning: Meaning; label: string; about?: string }

export const openingLabels: Record<State, OpeningLabel> = knownOr(otherState, {
  ready: { meaning: 'blue', label: 'Being opened' },
  sending: { meaning: 'blue', label: 'Sent to the platform' },
  unknown: {
    meaning: 'blue',
    label: 'Verifying',
    about:
      'The platform did not answer. The account is searched for by its tag, at least once a minute, until it is found or proven absent. Nothing is sent again, and the member is notified by email.',
  },
  done: { meaning: 'green', label: 'Opened' },
  rejected: { meaning: 'red', label: 'Refused', about: 'The platform refused. The member may try again at once.' },
  not_executed: {
    meaning: 'grey',
    label: 'Not sent',
    about: 'It never reached the platform. The member may try again.',
  },
  not_opened: {
    meaning: 'amber',
    label: 'Not opened',
    about:
      'The account was not found on the platform, or staff ended the application without its answer. The member was notified by email and may try again. One more search runs three hours later.',
  },
})

export const isMoving = (state: State): boolean => ['ready', 'sending', 'unknown'].includes(state)
/** While no account is known, staff can search for it. */
export const isInDoubt = (state: State): boolean => state === 'unknown' || state === 'not_opened'
