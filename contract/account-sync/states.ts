/** Discrepancy values that appear in URLs; separate from the calls, since the first screen does not need their schemas. */
export const differenceKinds = ['unknown_owner', 'gone', 'currency', 'returned', 'fields'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** `open`: to be decided; `kept`: accepted by staff as long as the platform reports the same; `settled`: ended. */
export const differenceStates = ['open', 'kept', 'settled'] as const
export type DifferenceState = (typeof differenceStates)[number]

/** The outcome; `vanished`: platform and portal agree again without a decision. */
export const differenceEnds = ['imported', 'archived', 'restored', 'kept', 'vanished'] as const

/** States of an account; `closed` means that the platform no longer has it. */
export const deskAccountStates = ['open', 'archived', 'closed'] as const
export const deskAccountOrders = ['newest', 'oldest', 'login'] as const
