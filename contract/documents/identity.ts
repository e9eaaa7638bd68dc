import { z } from 'zod'
import { defineCall } from '../call.ts'

/** How a member's check at an identity vendor stands; null before it began. */
export const identityStates = ['started', 'waiting', 'retry', 'approved', 'rejected'] as const
export type IdentityState = (typeof identityStates)[number]

export const readIdentityCheck = defineCall({
  method: 'GET',
  path: '/clients/identity-check',
  access: 'member',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    /** Whether one can be begun, or gone on with, now. */
    offered: z.boolean(),
    /** What the vendor is called; null where none is asked. */
    vendor: z.string().nullable(),
    state: z.enum(identityStates).nullable(),
    reason: z.string().nullable(),
  }),
})

/** Begins a check, or goes on with the one that is there. The token is for the vendor's own widget, the address for a page. */
export const startIdentityCheck = defineCall({
  method: 'POST',
  path: '/clients/start-identity-check',
  access: 'member',
  input: z.object({}),
  answer: z.object({ status: z.literal('ok'), vendor: z.string(), token: z.string(), url: z.string() }),
})
