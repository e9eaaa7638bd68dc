/** The rights of staff at the desk. Each staff call names the one that it requires. */
export const deskRights = [
  'desk.use',
  'members.read',
  'members.help',
  'members.lock',
  'members.permit',
  'accounts.restrict',
  'members.invite',
  'members.change',
  'tickets.answer',
  'requests.handle',
  'documents.decide',
  'money.read',
  'money.decide',
  'audit.read',
  'terms.manage',
  'forms.manage',
  'workspace.manage',
  'staff.manage',
] as const

export type DeskRight = (typeof deskRights)[number]

export const staffRoles = ['viewer', 'support', 'finance', 'compliance', 'administrator'] as const
export type StaffRole = (typeof staffRoles)[number]

const reading: DeskRight[] = ['desk.use', 'members.read', 'money.read']

/** The rights of each role. A role without an entry has none. */
export const rightsOfRole: Record<StaffRole, readonly DeskRight[]> = {
  viewer: reading,
  support: [...reading, 'members.help', 'members.invite', 'tickets.answer', 'requests.handle'],
  finance: [...reading, 'money.decide', 'tickets.answer', 'requests.handle', 'audit.read'],
  compliance: [
    ...reading,
    'members.help',
    'members.lock',
    'members.permit',
    'accounts.restrict',
    'members.invite',
    'members.change',
    'tickets.answer',
    'requests.handle',
    'documents.decide',
    'audit.read',
    'terms.manage',
    'forms.manage',
  ],
  administrator: deskRights,
}

export function holdsRight(role: string, right: DeskRight): boolean {
  return Object.entries(rightsOfRole).some(([name, rights]) => name === role && rights.includes(right))
}
