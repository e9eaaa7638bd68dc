/** The roles that the server lets decide about money. Here it only spares people a button that would be refused. */
const rolesThatDecideMoney = ['finance', 'administrator']

export function mayDecideMoney(role: string): boolean {
  return rolesThatDecideMoney.includes(role)
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
