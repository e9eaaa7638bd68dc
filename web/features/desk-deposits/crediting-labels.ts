import type { Meaning } from '../../ui/brand/theme.ts'
import { deletedAccountLabels } from './stuck-outcome-labels.ts'

type Crediting = { state: string; attempt: number; last_problem: string | null; account_gone?: boolean }

export type CreditingLabels = {
  title: string
  text: string
  meaning: Meaning
  /** Staff must act: the tag and the problem are shown, for use at the platform. */
  needsPerson?: boolean
}

/** The state of a crediting in plain words; null once the platform has confirmed it. */
export function creditingLabels({ state, attempt, account_gone }: Crediting): CreditingLabels | null {
  if (state === 'ready' && attempt === 0)
    return { title: 'About to be sent to the platform', text: 'This takes a moment.', meaning: 'blue' }
  if (state === 'ready')
    return {
      title: 'Will be sent to the platform again',
      text: 'The last attempt credited nothing. The next one starts automatically.',
      meaning: 'blue',
    }
  if (state === 'sending') return { title: 'Sending to the platform', text: 'This takes a moment.', meaning: 'blue' }
  if (state === 'unknown')
    return {
      title: 'Outcome unknown: checking the account’s history',
      text: 'Please do not credit manually. Nothing is sent again until the history shows that nothing arrived.',
      meaning: 'blue',
    }
  if (state === 'stuck' && account_gone) return { ...deletedAccountLabels, meaning: 'red', needsPerson: true }
  if (state === 'stuck')
    return {
      title: 'Stuck: manual review',
      text: 'Look up the tag in the account’s balance operations on the platform. Please do not credit manually before that.',
      meaning: 'red',
      needsPerson: true,
    }
  if (state === 'rejected')
    return {
      title: 'The platform refused to credit it',
      text: 'Nothing was credited and the deposit is back in the queue. It can be approved again once this is fixed.',
      meaning: 'red',
    }
  return null
}
