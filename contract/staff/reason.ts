import { z } from 'zod'
import { limits } from '../limits.ts'
import { deskTexts } from './texts.ts'

/** Why staff do what cannot be undone by a click: whoever reads the audit log later wants to know. */
export const deskReason = z
  .string({ error: deskTexts.reasonMissing })
  .trim()
  .min(1, deskTexts.reasonMissing)
  .max(limits.commentCharsMax, deskTexts.reasonTooLong)
