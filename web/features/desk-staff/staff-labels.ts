import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import { knownOr, otherLabel, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import type { StaffRow } from './use-staff.ts'

export const roleLabels: Record<StaffRole, { name: string; description: string }> = knownOr(
  { name: otherLabel, description: '' },
  {
    viewer: { name: 'Viewer', description: 'Sees members and money, and changes nothing.' },
    support: {
      name: 'Support',
      description: 'Viewer rights, and helps and invites members, answers tickets and handles requests.',
    },
    finance: {
      name: 'Finance',
      description: 'Viewer rights, and decides about money, answers tickets, handles requests and reads the audit log.',
    },
    compliance: {
      name: 'Compliance',
      description:
        'Support rights, and decides on documents, locks members, changes their data, permissions and account access, manages terms and forms, and reads the audit log.',
    },
    administrator: { name: 'Administrator', description: 'Everything, including settings and staff.' },
  },
)

export const stateLabels: Record<StaffRow['state'], { label: string; meaning: Meaning }> = knownOr(otherState, {
  active: { label: 'Active', meaning: 'green' },
  invited: { label: 'Invited', meaning: 'amber' },
  locked: { label: 'Locked', meaning: 'red' },
})
