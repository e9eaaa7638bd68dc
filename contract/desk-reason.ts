import { z } from 'zod'
import { limits } from './limits.ts'
import { texts } from './texts.ts'

/** Why staff do what cannot be undone by a click: whoever reads the audit log later wants to know. */
export const deskReason = z
  .string({ error: texts.reasonMissing })
  .trim()
  .min(1, texts.reasonMissing)
  .max(limits.commentCharsMax, texts.reasonTooLong)
