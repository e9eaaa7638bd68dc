import { z } from 'zod'
import { limits } from '../limits.ts'
import { fileTexts } from './texts.ts'

/** A PNG or JPEG, as base64. SVG is refused, since it can contain script. */
export const logoContent = z
  .base64({ error: fileTexts.logoInvalid })
  .max(Math.ceil((limits.logoSizeKbMax * 1_000) / 3) * 4, fileTexts.logoTooLarge)
