import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import type { StaffRow } from './use-staff.ts'

export const roleLabels: Record<StaffRole, { name: string; description: string }> = {
  viewer: { name: 'Viewer', description: 'Reads members and money, and changes nothing.' },
  support: { name: 'Support', description: 'Also helps members: sends reset links, ends their sessions.' },
  finance: { name: 'Finance', description: 'Also decides about money, and reads the audit log.' },
  compliance: {
    name: 'Compliance',
    description: 'Also locks members, sets their permissions, maintains the terms, and reads the audit log.',
  },
  administrator: { name: 'Administrator', description: 'Everything, with settings and staff.' },
}

export const stateLabels: Record<StaffRow['state'], { label: string; meaning: Meaning }> = {
  active: { label: 'Active', meaning: 'green' },
  invited: { label: 'Invited', meaning: 'amber' },
  locked: { label: 'Locked', meaning: 'red' },
}
