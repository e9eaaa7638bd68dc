import { z } from 'zod'
import { defineCall } from '../call.ts'
import { deskReason } from '../staff/reason.ts'

/**
 * Opens any file of a member that no virus scanner is left to check: an attachment of a ticket, a file in a form, a
 * receipt. Apart from the other calls for documents, which are large.
 */
export const releaseFile = defineCall({
  method: 'POST',
  path: '/desk/api/files/:id/release',
  access: 'staff',
  right: 'documents.decide',
  input: z.object({ id: z.uuid(), reason: deskReason }),
  answer: z.object({ status: z.literal('ok') }),
})
