import { z } from 'zod'

/** Stands for a record's values. The previous version omits it. */
export const revision = z.string().optional()

/** The revision that the page showed: a change made since then is not overwritten. The previous version omits it. */
export const seenRevision = z.string().max(64).optional()

/** The order that the page showed, in the same way. */
export const seenOrder = (entriesMax: number) => z.array(z.uuid()).max(entriesMax).optional()

/** The address of the picture that the page showed, or null, in the same way. */
export const seenPicture = z.string().max(500).nullish()
