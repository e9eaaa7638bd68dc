import type { CallAnswer } from '@atrium/contract/call.ts'
import * as calls from '@atrium/contract/staff/desk-calls.ts'
import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

export type StaffRow = CallAnswer<typeof calls.listStaff>['staff'][number]

export const staffQuery = queryOptions({
  queryKey: ['desk-staff'],
  queryFn: async () => (await call(calls.listStaff, {})).staff,
})

export type StaffDeed =
  | { deed: 'invite'; name: string; email: string; role: StaffRole }
  | { deed: 'role'; id: string; role: StaffRole }
  | { deed: 'lock' | 'unlock' | 'end-sessions' | 'resend'; id: string }

function carryOut(deed: StaffDeed) {
  switch (deed.deed) {
    case 'invite':
      return call(calls.inviteStaff, { name: deed.name, email: deed.email, role: deed.role })
    case 'role':
      return call(calls.changeStaffRole, { id: deed.id, role: deed.role })
    case 'lock':
      return call(calls.lockStaff, { id: deed.id })
    case 'unlock':
      return call(calls.unlockStaff, { id: deed.id })
    case 'end-sessions':
      return call(calls.endStaffSessions, { id: deed.id })
    case 'resend':
      return call(calls.resendInvitation, { id: deed.id })
  }
}

/** Whatever came of it, the list is read again: another administrator may have been faster. */
export function useStaffDeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: carryOut,
    onSettled: () => queries.invalidateQueries({ queryKey: staffQuery.queryKey }),
  })
}
