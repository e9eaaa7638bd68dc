import { holdsRight } from '@atrium/contract/desk-rights.ts'

/** What the server would refuse anyway; here it only spares people a button. */
export function mayDecideMoney(role: string): boolean {
  return holdsRight(role, 'money.decide')
}

const roleNames = new Map(
  Object.entries({
    administrator: 'Administrator',
    finance: 'Finance',
    support: 'Support',
    compliance: 'Compliance',
  }),
)

/** A role that came later than this page is shown by its own name. */
export function roleName(role: string): string {
  return roleNames.get(role) ?? role
}
