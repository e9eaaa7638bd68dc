import { z } from 'zod'

/** Made by the form: sent again with it, a decision is the one that was taken. Left out, what is decided already is refused. */
export const decisionKey = { idempotency_key: z.uuid().optional() }
