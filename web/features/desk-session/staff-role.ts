const roleNames = new Map(
  Object.entries({
    administrator: 'Administrator',
    finance: 'Finance',
    support: 'Support',
    compliance: 'Compliance',
    viewer: 'Viewer',
  }),
)

/** A role unknown to this build shows its own name. */
export function roleName(role: string): string {
  return roleNames.get(role) ?? role
}
