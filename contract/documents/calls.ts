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
  /** Its last valid day is asked for. */
  expires: z.boolean(),
})

export const fileCategory = z.object({
  _id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Without an approved document of it nobody is approved. */
  required: z.boolean(),
  valid_documents: z.array(validDocument),
})
export type FileCategory = z.output<typeof fileCategory>

/** The categories of a set, in the order in which the brokerage asks for them. */
export const searchFileCategories = defineCall({
  method: 'GET',
  path: '/file-categories/cp-search',
  access: 'member',
  input: z.object({ kyc_category_id: z.union([z.literal(generalSet), z.uuid()]).default(generalSet) }),
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

/** Files that were uploaded before, as KYC documents of one category. */
export const addDocumentsInput = z.object({
  /** Whoever is signed in; anybody else is refused. */
  customer: z.uuid().optional(),
  documents: z.array(z.uuid()).min(1).max(limits.documentsAtOnceMax),
  /** Without one: what is still asked for, or else the first that is offered. */
  category: z.uuid().optional(),
  /** Which of the category's valid documents it is: asked for where there are some. */
  valid_document: z.uuid().nullish(),
  expires_on: documentDay.nullish(),
  /** The KYC document that staff asked for. */
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
    /** A process of the version before does not say it. */
    category: z.uuid().optional(),
  }),
})

/** What is asked of a member, and how each of it stands. */
export const documentNeed = z.object({
  /** Of a category of everybody's, or of a KYC document that staff asked this member for. */
  kind: z.enum(['category', 'request']),
  _id: z.uuid(),
  category: z.uuid(),
  name: z.string(),
  /** What staff wrote beside what they asked for. */
  note: z.string(),
  valid_document: z.uuid().nullable(),
  standing: z.enum(requirementStatuses),
})
export type DocumentNeed = z.output<typeof documentNeed>
