/** Opening values that appear in URLs; separate from the calls, since the first screen does not need their schemas. */
export const accountKinds = ['live', 'demo'] as const
export type AccountKind = (typeof accountKinds)[number]

/** States from the stored request to its outcome (`server/openings/opening.ts`). */
export const openingStates = ['ready', 'sending', 'unknown', 'done', 'rejected', 'not_executed', 'not_opened'] as const
