import type { DocumentsStatus, MemberStatus } from '@atrium/contract/members/states.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../brand/theme.ts'

/** Labels for staff of the states of identity verification. */
export const identityLabels: Record<DocumentsStatus, { label: string; meaning: Meaning }> = knownOr(otherState, {
  pending: { label: 'Documents missing', meaning: 'amber' },
  in_verification: { label: 'In verification', meaning: 'blue' },
  approved: { label: 'Verified', meaning: 'green' },
  rejected: { label: 'Documents rejected', meaning: 'red' },
})

/** Labels for staff of the states of a member. */
export const memberLabels: Record<MemberStatus, { label: string; meaning: Meaning }> = knownOr(otherState, {
  active: { label: 'Active', meaning: 'green' },
  invited: { label: 'Invited', meaning: 'blue' },
  locked: { label: 'Locked', meaning: 'red' },
  erased: { label: 'Erased', meaning: 'grey' },
})
