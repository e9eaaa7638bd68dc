import { z } from 'zod'
import { scopeNames } from '../access/scopes.ts'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { seenOrder } from '../revision.ts'
import { acceptancesList } from './acceptances-list.ts'
import { termsStates } from './states.ts'
import { termsTexts } from './texts.ts'

const ok = z.object({ status: z.literal('ok') })

/** The input of staff. The server reduces the HTML to what `html.ts` allows and answers with the result. */
export const termsInput = z.object({
  name: z
    .string({ error: termsTexts.termsNameMissing })
    .trim()
    .min(1, termsTexts.termsNameMissing)
    .max(limits.termsNameCharsMax, termsTexts.termsTooLong.replace('{{count}}', String(limits.termsNameCharsMax))),
  tickbox_text: z
    .string({ error: termsTexts.termsTickboxMissing })
    .trim()
    .min(1, termsTexts.termsTickboxMissing)
    .max(
      limits.termsTickboxCharsMax,
      termsTexts.termsTooLong.replace('{{count}}', String(limits.termsTickboxCharsMax)),
    ),
  template: z
    .string({ error: termsTexts.termsTextMissing })
    .trim()
    .min(1, termsTexts.termsTextMissing)
    .max(limits.termsTextCharsMax, termsTexts.termsTooLong.replace('{{count}}', String(limits.termsTextCharsMax))),
  blocked_portal_sections: z
    .array(z.enum(scopeNames), { error: termsTexts.termsSectionsMissing })
    .min(1, termsTexts.termsSectionsMissing)
    .max(scopeNames.length),
})
export type TermsText = z.output<typeof termsInput>

const termsText = z.object({
  name: z.string(),
  tickbox_text: z.string(),
  template: z.string(),
  blocked_portal_sections: z.array(z.enum(scopeNames)),
})

export const deskTermsRow = z.object({
  _id: z.uuid(),
  name: z.string(),
  state: z.enum(termsStates),
  /** The published version; null if there never was one. */
  version: z.int().nullable(),
  published_at: z.int().nullable(),
  blocked_portal_sections: z.array(z.enum(scopeNames)),
  /** The draft differs from the published text. */
  is_changed: z.boolean(),
  /** Members who need not accept (any more), and all members who can sign in. */
  accepted: z.int(),
  members: z.int(),
})

export const deskTermsVersion = termsText.extend({
  version: z.int(),
  published_at: z.int(),
  published_by: z.string().nullable(),
  /** Whether members who had accepted an earlier version were asked again. */
  asks_again: z.boolean(),
  /** Members who accepted exactly this version. */
  accepted: z.int(),
})

export const deskTerms = deskTermsRow.extend({
  draft: termsText,
  /** Incremented with each save; saving and publishing send the revision that was shown. */
  revision: z.int(),
  updated_at: z.int(),
  versions: z.array(deskTermsVersion),
})
export type DeskTerms = z.output<typeof deskTerms>

const id = z.uuid()
const revision = z.int().min(1)
const one = ok.extend({ terms: deskTerms })

export const listDeskTerms = defineCall({
  method: 'GET',
  path: '/desk/api/terms',
  access: 'staff',
  right: 'members.read',
  input: z.object({}),
  answer: ok.extend({ terms: z.array(deskTermsRow) }),
})

export const readDeskTerms = defineCall({
  method: 'GET',
  path: '/desk/api/terms/:id',
  access: 'staff',
  right: 'members.read',
  input: z.object({ id }),
  answer: one,
})

export const createTerms = defineCall({
  method: 'POST',
  path: '/desk/api/terms',
  access: 'staff',
  right: 'terms.manage',
  input: termsInput,
  answer: one,
})

export const saveTerms = defineCall({
  method: 'POST',
  path: '/desk/api/terms/:id/save',
  access: 'staff',
  right: 'terms.manage',
  input: termsInput.extend({ id, revision }),
  answer: one,
})

/** `asks_again`: members who accepted an earlier version must accept this one too. A first version asks all members. */
export const publishTerms = defineCall({
  method: 'POST',
  path: '/desk/api/terms/:id/publish',
  access: 'staff',
  right: 'terms.manage',
  input: z.object({ id, revision, asks_again: z.boolean() }),
  answer: one,
})

/** Stops asking members; acceptances stay. Publishing again resumes. */
export const retireTerms = defineCall({
  method: 'POST',
  path: '/desk/api/terms/:id/retire',
  access: 'staff',
  right: 'terms.manage',
  input: z.object({ id }),
  answer: one,
})

/** Sets the order in which members are asked; omitted templates follow at the end. */
export const orderTerms = defineCall({
  method: 'POST',
  path: '/desk/api/terms/order',
  access: 'staff',
  right: 'terms.manage',
  input: z.object({
    ids: z.array(id).min(1).max(limits.termsTemplatesMax),
    seen: seenOrder(limits.termsTemplatesMax),
  }),
  answer: ok.extend({ terms: z.array(deskTermsRow) }),
})

export const deskAcceptance = z.object({
  _id: z.string(),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  version: z.int(),
  accepted_at: z.int(),
  address: z.string().nullable(),
  device: z.string(),
})

export const acceptanceCalls = listCalls(acceptancesList, {
  path: '/desk/api/terms/:id/acceptances',
  right: 'members.read',
  row: deskAcceptance,
  fixed: { id },
})

export const memberTerms = z.object({
  /** The terms that the member has yet to accept, in display order. */
  pending: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      version: z.int(),
      blocked_portal_sections: z.array(z.enum(scopeNames)),
    }),
  ),
  /** Acceptances, newest first; the name is that of the accepted version. */
  accepted: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      version: z.int(),
      accepted_at: z.int(),
      address: z.string().nullable(),
      device: z.string(),
    }),
  ),
})
export type MemberTerms = z.output<typeof memberTerms>

export const listMemberTerms = defineCall({
  method: 'GET',
  path: '/desk/api/members/:id/terms',
  access: 'staff',
  right: 'members.read',
  input: z.object({ id }),
  answer: ok.extend({ terms: memberTerms }),
})
