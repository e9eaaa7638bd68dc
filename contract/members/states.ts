/** Member values that appear in URLs; separate from the calls, since the first screen does not need their schemas. */
export const memberStatuses = ['active', 'invited', 'locked', 'erased'] as const
export type MemberStatus = (typeof memberStatuses)[number]

export const documentsStatuses = ['pending', 'in_verification', 'approved', 'rejected'] as const
export type DocumentsStatus = (typeof documentsStatuses)[number]

export const memberAccountKinds = ['live', 'demo', 'none'] as const
export const memberOrders = ['newest', 'oldest', 'name'] as const
