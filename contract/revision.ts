import { z } from 'zod'

/** Stands for a record's values. The previous version omits it. */
export const revision = z.string().optional()

/** The revision that the page showed: a change made since then is not overwritten. The previous version omits it. */
export const seenRevision = z.string().max(64).optional()
