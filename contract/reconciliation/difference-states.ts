/** Words about differences that an address carries; apart from the calls, since the first screen can do without their schemas. */
export const differenceKinds = ['unknown_owner', 'gone', 'currency', 'returned', 'fields'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** To be decided; left as it is by staff, however long the platform says the same; and over. */
export const differenceStates = ['open', 'kept', 'settled'] as const
export type DifferenceState = (typeof differenceStates)[number]

/** How it ended; `vanished`: platform and portal came to agree by themselves. */
export const differenceEnds = ['imported', 'archived', 'restored', 'kept', 'vanished'] as const
