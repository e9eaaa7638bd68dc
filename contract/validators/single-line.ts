import { z } from 'zod'
import { texts } from '../texts.ts'

/** A trimmed line without control characters. */
export const singleLine = (charsMax: number) =>
  z
    .string()
    .trim()
    .min(1, texts.nameMissing)
    .max(charsMax, texts.textTooLong.replace('{{count}}', String(charsMax)))
    .refine((text) => !/\p{Cc}/u.test(text), texts.nameUnreadable)
