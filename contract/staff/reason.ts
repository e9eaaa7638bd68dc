import { z } from 'zod'
import { limits } from '../limits.ts'
import { deskTexts } from './texts.ts'

/** The reason for an irreversible action, for the audit log. */
export const deskReason = z
  .string({ error: deskTexts.reasonMissing })
  .trim()
  .min(1, deskTexts.reasonMissing)
  .max(limits.commentCharsMax, deskTexts.reasonTooLong)
