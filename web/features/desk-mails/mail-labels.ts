import type { deadLetterStates } from '@atrium/contract/notifications/states.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import type { DeadLetter } from './use-mails.ts'

export const stateLabels: Record<(typeof deadLetterStates)[number], { label: string; meaning: Meaning }> = knownOr(
  otherState,
  {
    failed: { label: 'Not delivered', meaning: 'red' },
    unknown: { label: 'May have arrived', meaning: 'amber' },
  },
)

/** The likely cause behind a mail server's code; the code is shown beside it. */
export function problemLabels({ state, problem }: Pick<DeadLetter, 'state' | 'problem'>): string {
  const code = Number(/\b([45]\d\d)\b/.exec(problem ?? '')?.[1])
  if (problem === 'interrupted') return 'The server stopped while sending it.'
  if (state === 'unknown') return 'The mail server received it and did not confirm.'
  if (problem === 'too slow') return 'The mail server timed out.'
  if (code === 550 || code === 551 || code === 553) return 'The mail server does not know this address.'
  if (code === 552 || code === 452) return 'The mailbox is full.'
  if (code === 535 || problem?.includes('EAUTH')) return 'The mail server rejects our login.'
  if (code >= 500) return 'The mail server rejected it permanently.'
  if (code >= 400) return 'The mail server deferred it repeatedly.'
  if (problem?.includes('ETIMEDOUT') || problem?.includes('ECONNECTION') || problem?.includes('ESOCKET'))
    return 'The mail server could not be reached.'
  return 'The mail server gave no reason.'
}
