import { z } from 'zod'
import { defineCall } from '../call.ts'

/** The state of a member's check at an identity vendor; null before it starts. */
export const identityStates = ['started', 'waiting', 'retry', 'approved', 'rejected'] as const
export type IdentityState = (typeof identityStates)[number]

export const readIdentityCheck = defineCall({
  method: 'GET',
  path: '/clients/identity-check',
  access: 'member',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    /** Whether the member can start or continue a check now. */
    offered: z.boolean(),
    /** The vendor's name; null if none is enabled. */
    vendor: z.string().nullable(),
    state: z.enum(identityStates).nullable(),
    reason: z.string().nullable(),
  }),
})

/** Starts a check or continues the existing one. The token is for the vendor's widget, the address for its page. */
export const startIdentityCheck = defineCall({
  method: 'POST',
  path: '/clients/start-identity-check',
  access: 'member',
  input: z.object({}),
  answer: z.object({ status: z.literal('ok'), vendor: z.string(), token: z.string(), url: z.string() }),
})
