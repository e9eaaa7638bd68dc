import * as desk from '@atrium/contract/desk-documents.ts'
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

  open(app, ground, desk.verifyDocument, async (staff, { id, expires_on }) => {
    await verifyDocument(staff, id, expires_on)
    return { document: await readDeskDocumentOf(staff, id) }
  })
  open(app, ground, desk.rejectDocument, async (staff, { id, reason }) => {
    await rejectDocument(staff, id, reason)
    return { document: await readDeskDocumentOf(staff, id) }
  })
  open(app, ground, desk.unverifyDocument, async (staff, { id, reason }) => {
    await unverifyDocument(staff, id, reason)
    return { document: await readDeskDocumentOf(staff, id) }
  })

  open(app, ground, desk.readMemberPapers, async (staff, { id }) => ({ papers: await readMemberPapersOf(staff, id) }))
  open(app, ground, desk.requestDocument, async (staff, { id, ...asked }) => {
    await requestDocument(staff, id, asked)
    return { papers: await readMemberPapersOf(staff, id) }
  })
  open(app, ground, desk.withdrawDocumentRequest, async (staff, { id }) => ({
    papers: await readMemberPapersOf(staff, await withdrawDocumentRequest(staff, id)),
  }))
  open(app, ground, desk.setKycCategory, async (staff, { id, kyc_category_id }) => {
    await setKycCategory(staff, id, kyc_category_id)
    return { papers: await readMemberPapersOf(staff, id) }
  })
  open(app, ground, desk.setPapersElsewhere, async (staff, { id, ...choice }) => {
    await setPapersElsewhere(staff, id, choice)
    return { papers: await readMemberPapersOf(staff, id) }
  })
}

export function openDeskCategoryCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listDeskCategories, (staff) => listDeskCategoriesOf(staff))
  open(app, ground, desk.addFileCategory, (staff, input) => addFileCategory(staff, input))
  open(app, ground, desk.changeFileCategory, (staff, { id, ...fields }) => changeFileCategory(staff, id, fields))
  open(app, ground, desk.archiveFileCategory, (staff, { id, archived }) => archiveFileCategory(staff, id, archived))
  open(app, ground, desk.orderFileCategories, (staff, { kyc_category_id, ids }) =>
    orderFileCategories(staff, kyc_category_id, ids),
  )
  open(app, ground, desk.addKycCategory, (staff, { name }) => addKycCategory(staff, name))
  open(app, ground, desk.changeKycCategory, (staff, { id, ...fields }) => changeKycCategory(staff, id, fields))
}
