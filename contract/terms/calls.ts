import { z } from 'zod'
import { scopeNames } from '../access/scopes.ts'
import { defineCall } from '../call.ts'

const ok = z.object({ status: z.literal('ok') })

export const termsTemplate = z.object({
  _id: z.uuid(),
  name: z.string(),
  version: z.int(),
  /** HTML of the few elements that `terms-html.ts` allows. */
  template: z.string(),
  tickbox_text: z.string(),
  blocked_portal_sections: z.array(z.enum(scopeNames)),
})

/** What the member has still to accept, in the order in which it is asked; `digest` is what the header says of it. */
export const readTerms = defineCall({
  method: 'GET',
  path: '/members/terms',
  access: 'member',
  input: z.object({}),
  answer: ok.extend({ terms: z.array(termsTemplate), digest: z.string() }),
})

const accepting = {
  method: 'POST',
  access: 'member',
  input: z.object({
    id: z.uuid(),
    /** The one that was read. A newer one that asks again is not accepted by mistake; without it the newest is meant. */
    version: z.int().min(1).optional(),
  }),
  answer: ok.extend({ msg: z.array(z.string()) }),
} as const

/** The specification writes it with a slash at its end; without one it is the same call. */
export const acceptTerms = defineCall({ ...accepting, path: '/members/accept-terms/' })
export const acceptTermsWithoutSlash = defineCall({ ...accepting, path: '/members/accept-terms' })
