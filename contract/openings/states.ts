/** Words about openings that an address carries; apart from the calls, since the first screen can do without their schemas. */
export const accountKinds = ['live', 'demo'] as const
export type AccountKind = (typeof accountKinds)[number]

/** From being written down to its end (`server/openings/opening.ts`). */
export const openingStates = ['ready', 'sending', 'unknown', 'done', 'rejected', 'not_executed', 'not_opened'] as const
