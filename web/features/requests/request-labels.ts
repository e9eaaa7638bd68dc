import type { Scope } from '@atrium/contract/access/scopes.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import type { PredefinedType } from '@atrium/contract/requests/states.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

type StatusLabel = { label: string; meaning: Meaning }

export const statusLabels: Record<string, StatusLabel> = {
  'not-assigned': { label: 'Not assigned', meaning: 'amber' },
  open: { label: 'Open', meaning: 'amber' },
  'in-progress': { label: 'In progress', meaning: 'blue' },
  done: { label: 'Done', meaning: 'green' },
  canceled: { label: 'Canceled', meaning: 'grey' },
  rejected: { label: 'Rejected', meaning: 'red' },
}

/** The status label of a request, with its colour. */
export const labelsOfRequest = (status: string): StatusLabel =>
  statusLabels[status] ?? { label: status, meaning: 'grey' }

type Shortcut = { label: string; to: string; scope: Scope; kind?: AccountKind }

/** Requests that have a page of their own. */
export const shortcuts: Record<PredefinedType, Shortcut> = {
  add_bank_account: { label: 'Add a Bank Account', to: '/funds/bank-accounts', scope: 'bank-accounts' },
  open_trading_account: {
    label: 'Open a trading account',
    to: '/accounts/open-live-account',
    scope: 'my_accounts',
    kind: 'live',
  },
  update_trading_account: { label: 'Update a trading account', to: '/accounts', scope: 'my_accounts' },
}

export const shortcutOf = (predefined: string | null): Shortcut | undefined =>
  predefined !== null && Object.hasOwn(shortcuts, predefined) ? shortcuts[predefined as PredefinedType] : undefined

type Openness = { isOpen: (scope: Scope) => boolean; mayOpen: (kind: AccountKind) => boolean }

/** Whether the page of a shortcut has what it is named after: a closed opening page only leads away. */
export const isShortcutOpen = ({ scope, kind }: Shortcut, { isOpen, mayOpen }: Openness): boolean =>
  isOpen(scope) && (kind === undefined || mayOpen(kind))

/** The label of the final note for the member: "Reason" for a request cancelled by either side. */
export const answerName = (status: string): string => (status === 'canceled' ? 'Reason' : 'Response')
