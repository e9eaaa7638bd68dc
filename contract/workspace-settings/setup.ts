import { z } from 'zod'
import { defineCall } from '../call.ts'

/** The setup steps of a new brokerage, in order. */
export const setupSteps = [
  'second_factor',
  'brand',
  'platform',
  'payments',
  'documents',
  'terms',
  'colleagues',
  'members',
] as const
export type SetupStep = (typeof setupSteps)[number]

export const readSetup = defineCall({
  method: 'GET',
  path: '/desk/api/setup',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    steps: z.array(z.object({ name: z.enum(setupSteps), is_done: z.boolean() })),
  }),
})
