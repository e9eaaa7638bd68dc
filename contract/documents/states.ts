/** Words about documents that an address carries; apart from the calls, since the first screen can do without their schemas. */
export const documentStatuses = ['pending', 'in_verification', 'approved', 'rejected'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** In place of a set of categories: the one for every member who is in none. */
export const generalSet = 'GENERAL'

/** How what is asked for stands: nothing was handed in, or as the KYC document that counts for it. */
export const requirementStatuses = ['missing', ...documentStatuses] as const
export type RequirementStatus = (typeof requirementStatuses)[number]

/** What a desk user does with a document, and from which states (server/documents/decision.ts). */
export const documentMoves = {
  verify: { from: ['in_verification', 'pending', 'rejected'], to: 'approved' },
  reject: { from: ['in_verification', 'pending'], to: 'rejected' },
  unverify: { from: ['approved'], to: 'pending' },
} as const satisfies Record<string, { from: readonly DocumentStatus[]; to: DocumentStatus }>
export type DocumentMove = keyof typeof documentMoves

export function mayMove(move: DocumentMove, status: string): boolean {
  return (documentMoves[move].from as readonly string[]).includes(status)
}
