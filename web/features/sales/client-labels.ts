import type { clientStatuses } from '@atrium/contract/members/clients-list.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

type ClientStatus = (typeof clientStatuses)[number]

export const statusLabels: Record<ClientStatus, { label: string; meaning: Meaning }> = knownOr(otherState, {
  active: { label: 'Active', meaning: 'green' },
  invited: { label: 'Invited', meaning: 'blue' },
  locked: { label: 'Locked', meaning: 'grey' },
})
