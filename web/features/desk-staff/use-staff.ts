import type { CallAnswer } from '@atrium/contract/call.ts'
import { declareList } from '@atrium/contract/list.ts'
import * as calls from '@atrium/contract/staff/desk-calls.ts'
import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type StaffRow = CallAnswer<typeof calls.listStaff>['staff'][number]

export const staff = listSource(declareList({ name: 'staff', filters: {} }), { list: calls.listStaff })

export type StaffAction =
  | { task: 'invite'; name: string; email: string; role: StaffRole }
  | { task: 'role'; id: string; role: StaffRole; seen: string }
  | { task: 'lock' | 'unlock' | 'end-sessions' | 'resend'; id: string }

function carryOut(task: StaffAction) {
  switch (task.task) {
    case 'invite':
      return call(calls.inviteStaff, { name: task.name, email: task.email, role: task.role })
    case 'role':
      return call(calls.changeStaffRole, { id: task.id, role: task.role, seen: task.seen })
    case 'lock':
      return call(calls.lockStaff, { id: task.id })
    case 'unlock':
      return call(calls.unlockStaff, { id: task.id })
    case 'end-sessions':
      return call(calls.endStaffSessions, { id: task.id })
    case 'resend':
      return call(calls.resendInvitation, { id: task.id })
  }
}

/** Refetches the list after every outcome, because another administrator may have acted first. */
export function useStaffAction() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: carryOut,
    onSettled: () => queries.invalidateQueries({ queryKey: [staff.key] }),
  })
}
