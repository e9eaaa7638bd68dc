import { z } from 'zod'

/** A moment in a URL, in epoch milliseconds, within the range of the database. */
export const momentInput = z.coerce
  .number()
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31))
