/** The desk's KYC document calls: the queue, one KYC document, and all of one member. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { documentsStatuses } from '../members/states.ts'
import { revision, seenOrder, seenRevision } from '../revision.ts'
import { deskReason } from '../staff/reason.ts'
import { texts } from '../texts.ts'
import { documentDay, documentNeed } from './calls.ts'
import { documentsList } from './desk-list.ts'
import { documentStatuses } from './states.ts'

const ok = z.object({ status: z.literal('ok') })
const one = z.object({ id: z.uuid() })
const member = z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() })

export const deskDocument = z.object({
  _id: z.uuid(),
  title: z.string(),
  description: z.string().nullable(),
  status: z.enum(documentStatuses),
  unverify_reason: z.string().nullable(),
  reject_reason: z.string().nullable(),
  category: z.object({ _id: z.uuid(), name: z.string() }),
  valid_document: z.object({ _id: z.uuid(), name: z.string(), expires: z.boolean() }).nullable(),
  expires_on: z.string().nullable(),
  created_at: z.int(),
  decided_at: z.int().nullable(),
  decided_by: z.string().nullable(),
  file: z.object({
    name: z.string(),
    type: z.string(),
    extension: z.string(),
    size_bytes: z.int(),
    url: z.string(),
    scan: scanState,
    /** No scanner is left to check it: staff release it with a reason. The previous version does not say so. */
    is_unscannable: z.boolean().default(false),
  }),
  member,
})
export type DeskDocument = z.output<typeof deskDocument>

export const deskDocumentCalls = listCalls(documentsList, {
  path: '/desk/api/documents',
  right: 'members.read',
  row: deskDocument,
  extra: { counts: z.record(z.enum(documentStatuses), z.int()) },
})

export const readDeskDocument = defineCall({
  method: 'GET',
  path: '/desk/api/documents/:id',
  access: 'staff',
  right: 'members.read',
  input: one,
  answer: ok.extend({ document: deskDocument }),
})

const answeredDocument = ok.extend({ document: deskDocument })

/** The status that was shown: a decision made meanwhile is not overruled unseen. The previous version omits it. */
const decided = one.extend({ seen: z.enum(documentStatuses).optional() })

export const verifyDocument = defineCall({
  method: 'POST',
  path: '/desk/api/documents/:id/verify',
  access: 'staff',
  right: 'documents.decide',
  /** The last valid day on the KYC document, if it differs from the member's entry; null for none where its kind has none. */
  input: decided.extend({ expires_on: documentDay.nullish() }),
  answer: answeredDocument,
})

export const rejectDocument = defineCall({
  method: 'POST',
  path: '/desk/api/documents/:id/reject',
  access: 'staff',
  right: 'documents.decide',
  input: decided.extend({ reason: deskReason }),
  answer: answeredDocument,
})

export const unverifyDocument = defineCall({
  method: 'POST',
  path: '/desk/api/documents/:id/unverify',
  access: 'staff',
  right: 'documents.decide',
  input: decided.extend({ reason: deskReason }),
  answer: answeredDocument,
})

/** Opens a document's file that waits for a virus scanner which is not connected any more. */
export const releaseDocumentFile = defineCall({
  method: 'POST',
  path: '/desk/api/documents/:id/release-file',
  access: 'staff',
  right: 'documents.decide',
  input: one.extend({ reason: deskReason }),
  answer: answeredDocument,
})

const deskCategory = z.object({
  _id: z.uuid(),
  /** The set of the category; null is the general one. */
  kyc_category_id: z.uuid().nullable(),
  name: z.string(),
  description: z.string(),
  required: z.boolean(),
  /** An approved identity check counts as a document of this category. */
  by_identity_check: z.boolean(),
  archived: z.boolean(),
  valid_documents: z.array(z.object({ _id: z.uuid(), name: z.string(), expires: z.boolean(), archived: z.boolean() })),
  revision,
})
export type DeskCategory = z.output<typeof deskCategory>
const kycCategory = z.object({ _id: z.uuid(), name: z.string(), archived: z.boolean(), revision })

export const memberKycDocuments = z.object({
  member: member.extend({ documents_status: z.enum(documentsStatuses), status: z.string() }),
  kyc_category_id: z.uuid().nullable(),
  kyc_categories: z.array(kycCategory),
  papers_elsewhere: z.boolean(),
  needs: z.array(documentNeed),
  documents: z.array(deskDocument),
  /** The categories that staff can request: those of the member's set. */
  categories: z.array(deskCategory),
  /** Events, newest first. */
  history: z.array(
    z.object({
      _id: z.uuid(),
      at: z.int(),
      event: z.string(),
      by: z.string(),
      staff_name: z.string().nullable(),
      document: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
})
export type MemberKycDocuments = z.output<typeof memberKycDocuments>
const answeredKycDocuments = ok.extend({ papers: memberKycDocuments })

export const readMemberKycDocuments = defineCall({
  method: 'GET',
  path: '/desk/api/members/:id/documents',
  access: 'staff',
  right: 'members.read',
  input: one,
  answer: answeredKycDocuments,
})

const words = (charsMax: number) =>
  z
    .string({ error: texts.fieldsMissing })
    .trim()
    .max(charsMax, texts.textTooLong.replace('{{count}}', String(charsMax)))
    .refine((text) => text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text), texts.textUnreadable)

export const requestDocument = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/documents/request',
  access: 'staff',
  right: 'documents.decide',
  input: one.extend({
    category: z.uuid(),
    valid_document: z.uuid().nullish(),
    /** Instructions to the member. */
    note: words(limits.commentCharsMax).default(''),
  }),
  answer: answeredKycDocuments,
})

export const withdrawDocumentRequest = defineCall({
  method: 'POST',
  path: '/desk/api/document-requests/:id/withdraw',
  access: 'staff',
  right: 'documents.decide',
  input: one,
  answer: answeredKycDocuments,
})

/**
 * Sets the document categories required of a member. `seen` is the set that was shown: a concurrent change is not
 * overwritten. The previous version omits it.
 */
export const setKycCategory = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/kyc-category',
  access: 'staff',
  right: 'documents.decide',
  input: one.extend({ kyc_category_id: z.uuid().nullable(), seen: z.uuid().nullish() }),
  answer: answeredKycDocuments,
})

/** Records that the member's KYC documents were verified elsewhere, or requires them here again. */
export const setKycDocumentsElsewhere = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/papers-elsewhere',
  access: 'staff',
  right: 'documents.decide',
  input: one.extend({ elsewhere: z.boolean(), reason: deskReason }),
  answer: answeredKycDocuments,
})

const allCategories = ok.extend({ kyc_categories: z.array(kycCategory), categories: z.array(deskCategory) })

export const listDeskCategories = defineCall({
  method: 'GET',
  path: '/desk/api/file-categories',
  access: 'staff',
  right: 'members.read',
  input: z.object({}),
  answer: allCategories,
})

const entryName = words(limits.listWordCharsMax).min(1, texts.fieldsMissing)
const categoryFields = {
  name: entryName,
  description: words(limits.commentCharsMax).default(''),
  required: z.boolean(),
  by_identity_check: z.boolean().default(false),
  /** In display order. An existing one that is omitted is archived. */
  valid_documents: z
    .array(z.object({ _id: z.uuid().nullish(), name: entryName, expires: z.boolean() }))
    .max(limits.validDocumentsMax),
}

export const addFileCategory = defineCall({
  method: 'POST',
  path: '/desk/api/file-categories/add',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({ kyc_category_id: z.uuid().nullable(), ...categoryFields }),
  answer: allCategories,
})

export const changeFileCategory = defineCall({
  method: 'POST',
  path: '/desk/api/file-categories/:id/change',
  access: 'staff',
  right: 'workspace.manage',
  input: one.extend({ ...categoryFields, seen: seenRevision }),
  answer: allCategories,
})

export const archiveFileCategory = defineCall({
  method: 'POST',
  path: '/desk/api/file-categories/:id/archive',
  access: 'staff',
  right: 'workspace.manage',
  input: one.extend({ archived: z.boolean() }),
  answer: allCategories,
})

/** Sets the order of all categories of a set. */
export const orderFileCategories = defineCall({
  method: 'POST',
  path: '/desk/api/file-categories/order',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({
    kyc_category_id: z.uuid().nullable(),
    ids: z.array(z.uuid()).max(limits.fileCategoriesMax),
    seen: seenOrder(limits.fileCategoriesMax),
  }),
  answer: allCategories,
})

export const addKycCategory = defineCall({
  method: 'POST',
  path: '/desk/api/kyc-categories/add',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({ name: entryName }),
  answer: allCategories,
})

export const changeKycCategory = defineCall({
  method: 'POST',
  path: '/desk/api/kyc-categories/:id/change',
  access: 'staff',
  right: 'workspace.manage',
  input: one.extend({ name: entryName, archived: z.boolean(), seen: seenRevision }),
  answer: allCategories,
})
