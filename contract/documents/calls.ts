import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { isDay } from '../validators/dates.ts'
import { generalSet, requirementStatuses } from './states.ts'
import { documentTexts } from './texts.ts'

export const validDocument = z.object({
  _id: z.uuid(),
  name: z.string(),
  /** Whether the member must enter its last valid day. */
  expires: z.boolean(),
})

export const fileCategory = z.object({
  _id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** A member needs an approved document of this category to be approved. */
  required: z.boolean(),
  valid_documents: z.array(validDocument),
})
export type FileCategory = z.output<typeof fileCategory>

/** The categories of a set, in the brokerage's order. */
export const searchFileCategories = defineCall({
  method: 'GET',
  path: '/file-categories/cp-search',
  access: 'member',
  input: z.object({
    kyc_category_id: z.union([z.literal(generalSet), z.uuid()]).default(generalSet),
    /** An open request of staff, answered with its category alone: it may be of another set, or archived. */
    request: z.uuid().optional(),
  }),
  answer: z.object({ status: z.literal('ok'), categories: z.array(fileCategory) }),
})

const line = (charsMax: number) =>
  z
    .string()
    .trim()
    .max(charsMax, texts.textTooLong.replace('{{count}}', String(charsMax)))
    .refine((text) => text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text), texts.textUnreadable)

/** The last day on which a document is valid. */
export const documentDay = z
  .string({ error: documentTexts.expiryUnreadable })
  .trim()
  .refine(isDay, documentTexts.expiryUnreadable)

/** Assigns earlier uploads to one category as KYC documents. */
export const addDocumentsInput = z.object({
  /** The signed-in member; any other id is refused. */
  customer: z.uuid().optional(),
  documents: z.array(z.uuid()).min(1).max(limits.documentsAtOnceMax),
  /** If absent: the first missing category, else the first on offer. */
  category: z.uuid().optional(),
  /** One of the category's valid documents; required if it has any. */
  valid_document: z.uuid().nullish(),
  expires_on: documentDay.nullish(),
  /** The staff's request for a KYC document. */
  request: z.uuid().nullish(),
  title: line(limits.documentTitleCharsMax).nullish(),
  description: line(limits.commentCharsMax).nullish(),
})
export type AddDocumentsInput = z.output<typeof addDocumentsInput>

export const addDocuments = defineCall({
  method: 'POST',
  path: '/clients/add-documents',
  access: 'member',
  input: addDocumentsInput,
  answer: z.object({
    status: z.literal('ok'),
    msg: z.array(z.string()),
    documents: z.array(z.uuid()),
    /** The previous version omits it. */
    category: z.uuid().optional(),
  }),
})

/** A document requirement of a member and its status. */
export const documentNeed = z.object({
  /** A category for all members, or a KYC document that staff requested from this member. */
  kind: z.enum(['category', 'request']),
  _id: z.uuid(),
  category: z.uuid(),
  name: z.string(),
  /** The staff's note on the request. */
  note: z.string(),
  valid_document: z.uuid().nullable(),
  standing: z.enum(requirementStatuses),
})
export type DocumentNeed = z.output<typeof documentNeed>
