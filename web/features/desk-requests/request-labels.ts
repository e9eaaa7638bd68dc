import type { DetailChange } from '@atrium/contract/members/details.ts'
import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import type { PredefinedType, RequestPriority, RequestState } from '@atrium/contract/requests/states.ts'
import { knownOr, otherLabel, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import type { TFunction } from '../../ui/text/i18n.ts'

export const stateLabels: Record<RequestState, { label: string; meaning: Meaning }> = knownOr(otherState, {
  'not-assigned': { label: 'Not assigned', meaning: 'amber' },
  open: { label: 'Open', meaning: 'amber' },
  'in-progress': { label: 'In progress', meaning: 'blue' },
  done: { label: 'Done', meaning: 'green' },
  canceled: { label: 'Canceled', meaning: 'grey' },
  rejected: { label: 'Rejected', meaning: 'red' },
})

/** The button label of the move to each state. */
export const moveLabels: Record<RequestState, string> = knownOr(otherLabel, {
  'not-assigned': 'Move back to the queue',
  open: 'Open',
  'in-progress': 'Start',
  done: 'Done',
  canceled: 'Cancel the request',
  rejected: 'Reject',
})

export const changeLabels: Record<DetailChange, string> = knownOr(otherLabel, {
  legal_name: 'The legal name of the member',
  email: 'The email of the member',
})

/** Replaces "Done" when the request changes the member. */
export const approveLabel = 'Approve the change'

export const priorityLabels: Record<RequestPriority, string> = knownOr(otherLabel, {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
})

export const shortcutLabels: Record<PredefinedType, string> = knownOr(otherLabel, {
  add_bank_account: 'Add a Bank Account',
  open_trading_account: 'Open a trading account',
  update_trading_account: 'Update a trading account',
})

type RequestEvent = DeskRequest['events'][number]

/** One event as a line of the history. */
export function eventLabels({ kind, from, to, assigned }: RequestEvent, t: TFunction): string {
  const label = (state: RequestState) => t(stateLabels[state].label)
  if (kind === 'sent') return t('Sent')
  if (kind === 'commented') return t('Comment')
  if (kind === 'assigned') return assigned ? t('Assigned to {{name}}', { name: assigned }) : t('Unassigned')
  if (from && to) return t('{{from}} to {{to}}', { from: label(from), to: label(to) })
  return to ? label(to) : t('Changed')
}
