import { z } from 'zod'
import { scopeNames } from '../access/scopes.ts'
import { defineCall } from '../call.ts'

const ok = z.object({ status: z.literal('ok') })

export const termsTemplate = z.object({
  _id: z.uuid(),
  name: z.string(),
  version: z.int(),
  /** HTML of the elements that `html.ts` allows. */
  template: z.string(),
  tickbox_text: z.string(),
  blocked_portal_sections: z.array(z.enum(scopeNames)),
})

/** The terms that the member has yet to accept, in display order; `digest` is their value in the header. */
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
    /** The version that the member read, so that a newer one is not accepted by mistake; defaults to the newest. */
    version: z.int().min(1).optional(),
  }),
  answer: ok.extend({ msg: z.array(z.string()) }),
} as const

/** The specification's path has a trailing slash; the same call exists without it. */
export const acceptTerms = defineCall({ ...accepting, path: '/members/accept-terms/' })
export const acceptTermsWithoutSlash = defineCall({ ...accepting, path: '/members/accept-terms' })
