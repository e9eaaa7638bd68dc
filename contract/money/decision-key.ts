import { z } from 'zod'

/** Created by the form: a repeat with the same key returns the decision already made. Without a key, a decided item is refused. */
export const decisionKey = { idempotency_key: z.uuid().optional() }

/** The approvals that the page showed: a first approval never becomes the last one unseen. The previous version omits it. */
export const seenApprovals = { seen: z.int().min(0).optional() }
