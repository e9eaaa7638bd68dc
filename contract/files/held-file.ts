import { z } from 'zod'

/** What the desk says about a file that no virus scanner is left to check. */
export const heldFile = {
  /** It waits for a scanner that was removed from the configuration. The previous version does not say so. */
  is_unscannable: z.boolean().default(false),
  /** The caller may release it, with a reason. */
  may_release: z.boolean().default(false),
}
