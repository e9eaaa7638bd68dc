/** Document values that appear in URLs; separate from the calls, since the first screen does not need their schemas. */
export const documentStatuses = ['pending', 'in_verification', 'approved', 'rejected'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** The set id for members without a set of categories. */
export const generalSet = 'GENERAL'

/** The status of a document requirement: `missing` without a document, otherwise that of the relevant KYC document. */
export const requirementStatuses = ['missing', ...documentStatuses] as const
export type RequirementStatus = (typeof requirementStatuses)[number]

/** Desk actions on a document and the states they apply to (server/documents/decision.ts). */
export const documentMoves = {
  verify: { from: ['in_verification', 'pending', 'rejected'], to: 'approved' },
  reject: { from: ['in_verification', 'pending'], to: 'rejected' },
  unverify: { from: ['approved'], to: 'pending' },
} as const satisfies Record<string, { from: readonly DocumentStatus[]; to: DocumentStatus }>
export type DocumentMove = keyof typeof documentMoves

export function mayMove(move: DocumentMove, status: string): boolean {
  return (documentMoves[move].from as readonly string[]).includes(status)
}
