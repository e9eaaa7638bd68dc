import * as desk from '@atrium/contract/documents/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open } from '../http/route.ts'
import {
  addFileCategory,
  addKycCategory,
  archiveFileCategory,
  changeFileCategory,
  changeKycCategory,
  listDeskCategoriesOf,
  orderFileCategories,
} from './categories.ts'
import { rejectDocument, unverifyDocument, verifyDocument } from './decision.ts'
import { listDeskDocumentsOf, readDeskDocumentOf, readMemberPapersOf } from './desk-queries.ts'
import { requestDocument, setKycCategory, setPapersElsewhere, withdrawDocumentRequest } from './requests.ts'

export function openDeskDocumentCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listDeskDocuments, (staff, filter) => listDeskDocumentsOf(staff, filter))
  open(app, ground, desk.readDeskDocument, async (staff, { id }) => ({ document: await readDeskDocumentOf(staff, id) }))

  open(app, ground, desk.verifyDocument, {
    audit: ['document.approved'],
    idempotent: true,
    notifies: ['document.approved'],
    handler: async (staff, { id, expires_on }) => {
      await verifyDocument(staff, id, expires_on)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })
  open(app, ground, desk.rejectDocument, {
    audit: ['document.rejected'],
    idempotent: true,
    notifies: ['document.rejected'],
    example: { reason: 'Too dark.' },
    handler: async (staff, { id, reason }) => {
      await rejectDocument(staff, id, reason)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })
  open(app, ground, desk.unverifyDocument, {
    audit: ['document.unverified'],
    idempotent: true,
    notifies: ['document.unverified'],
    example: { reason: 'Too old.' },
    handler: async (staff, { id, reason }) => {
      await unverifyDocument(staff, id, reason)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })

  open(app, ground, desk.readMemberPapers, async (staff, { id }) => ({ papers: await readMemberPapersOf(staff, id) }))
  open(app, ground, desk.requestDocument, {
    audit: ['document.requested'],
    idempotent: true,
    notifies: ['document.requested'],
    handler: async (staff, { id, ...asked }) => {
      await requestDocument(staff, id, asked)
      return { papers: await readMemberPapersOf(staff, id) }
    },
  })
  open(app, ground, desk.withdrawDocumentRequest, {
    audit: ['document.request-withdrawn'],
    idempotent: true,
    handler: async (staff, { id }) => ({
      papers: await readMemberPapersOf(staff, await withdrawDocumentRequest(staff, id)),
    }),
  })
  open(app, ground, desk.setKycCategory, {
    audit: ['member.kyc-category-changed'],
    idempotent: true,
    handler: async (staff, { id, kyc_category_id }) => {
      await setKycCategory(staff, id, kyc_category_id)
      return { papers: await readMemberPapersOf(staff, id) }
    },
  })
  open(app, ground, desk.setPapersElsewhere, {
    audit: ['member.papers-seen-elsewhere'],
    idempotent: true,
    example: { elsewhere: true, reason: 'Seen in the branch.' },
    handler: async (staff, { id, ...choice }) => {
      await setPapersElsewhere(staff, id, choice)
      return { papers: await readMemberPapersOf(staff, id) }
    },
  })
}

export function openDeskCategoryCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listDeskCategories, (staff) => listDeskCategoriesOf(staff))
  open(app, ground, desk.addFileCategory, {
    audit: ['file-category.added'],
    idempotent: true,
    handler: (staff, input) => addFileCategory(staff, input),
  })
  open(app, ground, desk.changeFileCategory, {
    audit: ['file-category.changed'],
    idempotent: true,
    handler: (staff, { id, ...fields }) => changeFileCategory(staff, id, fields),
  })
  open(app, ground, desk.archiveFileCategory, {
    audit: ['file-category.archived'],
    idempotent: true,
    handler: (staff, { id, archived }) => archiveFileCategory(staff, id, archived),
  })
  open(app, ground, desk.orderFileCategories, {
    audit: ['file-categories.ordered'],
    idempotent: true,
    handler: (staff, { kyc_category_id, ids }) => orderFileCategories(staff, kyc_category_id, ids),
  })
  open(app, ground, desk.addKycCategory, {
    audit: ['kyc-category.added'],
    idempotent: true,
    handler: (staff, { name }) => addKycCategory(staff, name),
  })
  open(app, ground, desk.changeKycCategory, {
    audit: ['kyc-category.changed'],
    idempotent: true,
    handler: (staff, { id, ...fields }) => changeKycCategory(staff, id, fields),
  })
}
