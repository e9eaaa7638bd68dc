import { z } from 'zod'

/** A moment in an address, in milliseconds since 1970: none that the database cannot hold. */
export const momentInput = z.coerce
  .number()
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31))
