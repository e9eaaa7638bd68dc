import * as desk from '@atrium/contract/documents/desk-calls.ts'
import { releaseFile as releaseFileCall } from '@atrium/contract/documents/release-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
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
import { deskDocuments, readDeskDocumentOf, readMemberKycDocumentsOf } from './desk-queries.ts'
import { releaseDocumentFile, releaseFile } from './file-release.ts'
import { requestDocument, setKycCategory, setKycDocumentsElsewhere, withdrawDocumentRequest } from './requests.ts'

export function openDeskDocumentCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, desk.deskDocumentCalls, deskDocuments)
  open(app, context, desk.readDeskDocument, async (staff, { id }) => ({
    document: await readDeskDocumentOf(staff, id),
  }))

  open(app, context, desk.verifyDocument, {
    audit: ['document.approved'],
    idempotent: true,
    notifies: ['document.approved'],
    handler: async (staff, { id, expires_on, seen }) => {
      await verifyDocument(staff, id, expires_on, seen)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })
  open(app, context, desk.rejectDocument, {
    audit: ['document.rejected'],
    idempotent: true,
    notifies: ['document.rejected'],
    example: { reason: 'Too dark.' },
    handler: async (staff, { id, reason, seen }) => {
      await rejectDocument(staff, id, reason, seen)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })
  open(app, context, desk.unverifyDocument, {
    audit: ['document.unverified'],
    idempotent: true,
    notifies: ['document.unverified'],
    example: { reason: 'Too old.' },
    handler: async (staff, { id, reason, seen }) => {
      await unverifyDocument(staff, id, reason, seen)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })

  open(app, context, desk.releaseDocumentFile, {
    audit: ['file.released'],
    idempotent: true,
    example: { reason: 'Opened on a separate machine.' },
    handler: async (staff, { id, reason }) => {
      await releaseDocumentFile(staff, id, reason)
      return { document: await readDeskDocumentOf(staff, id) }
    },
  })
  open(app, context, releaseFileCall, {
    audit: ['file.released'],
    idempotent: true,
    example: { reason: 'Opened on a separate machine.' },
    handler: async (staff, { id, reason }) => {
      await releaseFile(staff, id, reason)
      return {}
    },
  })

  open(app, context, desk.readMemberKycDocuments, async (staff, { id }) => ({
    papers: await readMemberKycDocumentsOf(staff, id),
  }))
  open(app, context, desk.requestDocument, {
    audit: ['document.requested'],
    idempotent: true,
    notifies: ['document.requested'],
    handler: async (staff, { id, ...asked }) => {
      await requestDocument(staff, id, asked)
      return { papers: await readMemberKycDocumentsOf(staff, id) }
    },
  })
  open(app, context, desk.withdrawDocumentRequest, {
    audit: ['document.request-withdrawn'],
    idempotent: true,
    handler: async (staff, { id }) => ({
      papers: await readMemberKycDocumentsOf(staff, await withdrawDocumentRequest(staff, id)),
    }),
  })
  open(app, context, desk.setKycCategory, {
    audit: ['member.kyc-category-changed'],
    idempotent: true,
    handler: async (staff, { id, kyc_category_id, seen }) => {
      await setKycCategory(staff, id, kyc_category_id, seen)
      return { papers: await readMemberKycDocumentsOf(staff, id) }
    },
  })
  open(app, context, desk.setKycDocumentsElsewhere, {
    audit: ['member.papers-seen-elsewhere'],
    idempotent: true,
    example: { elsewhere: true, reason: 'Seen in the branch.' },
    handler: async (staff, { id, ...choice }) => {
      await setKycDocumentsElsewhere(staff, id, choice)
      return { papers: await readMemberKycDocumentsOf(staff, id) }
    },
  })
}

export function openDeskCategoryCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listDeskCategories, (staff) => listDeskCategoriesOf(staff))
  open(app, context, desk.addFileCategory, {
    audit: ['file-category.added'],
    idempotent: true,
    handler: (staff, input) => addFileCategory(staff, input),
  })
  open(app, context, desk.changeFileCategory, {
    audit: ['file-category.changed'],
    idempotent: true,
    handler: changeFileCategory,
  })
  open(app, context, desk.archiveFileCategory, {
    audit: ['file-category.archived'],
    idempotent: true,
    handler: (staff, { id, archived }) => archiveFileCategory(staff, id, archived),
  })
  open(app, context, desk.orderFileCategories, {
    audit: ['file-categories.ordered'],
    idempotent: true,
    handler: orderFileCategories,
  })
  open(app, context, desk.addKycCategory, {
    audit: ['kyc-category.added'],
    idempotent: true,
    handler: (staff, { name }) => addKycCategory(staff, name),
  })
  open(app, context, desk.changeKycCategory, {
    audit: ['kyc-category.changed'],
    idempotent: true,
    handler: (staff, { id, ...fields }) => changeKycCategory(staff, id, fields),
  })
}
