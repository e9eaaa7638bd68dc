import { verifyDocument } from '../../../server/documents/decision.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { addDocument, addDocumentRequest, addFileCategory, addKycCategory } from '../../fixtures/documents.ts'
import { sumsubSettings } from '../../fixtures/identity/identity-vendors.ts'
import { addMedia } from '../../fixtures/requests.ts'
import { addMember } from '../../fixtures/workspaces.ts'
import { type About, about, emptied } from './staff-request.ts'
import { by, enterStaff, type Prepare } from './valid-request.ts'

const aKycDocument =
  (isApproved = false): About =>
  async ({ setup: { system, staff } }) => {
    const { memberId } = await addMember(system)
    const category = await addFileCategory(system, { required: false })
    const id = await addDocument(system, { memberId, category })
    if (isApproved) await verifyDocument(staff, id)
    return { id }
  }

/** Uploaded while a scanner was configured that is not any more. */
const anUnscannedFile: About = async (fixture) => {
  const { id } = await aKycDocument()(fixture)
  await fixture.owner.query(
    `update media set scan = 'waiting' from documents
     where documents.media_id = media.media_id and documents.workspace_id = media.workspace_id and document_id = $1`,
    [id],
  )
  return { id }
}

const anUnscannedAttachment: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  return { id: await addMedia(system, { memberId, purpose: 'ticket', scan: 'waiting' }) }
}

const aKycDocumentWanted: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  return { id: memberId, body: { category: (await addFileCategory(system, { required: false })).id, note: 'Payslip' } }
}

const aRequestedKycDocument: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  const category = await addFileCategory(system, { required: false })
  return { id: await addDocumentRequest(system, { memberId, category }), body: {} }
}

/** Approved before, so that the mark changes nothing else. */
const anApprovedMember: About = async ({ setup: { system } }) => ({
  id: (await addMember(system, { documents_status: 'approved' })).memberId,
})

const aSetForMember: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  return { id: memberId, body: { kyc_category_id: await addKycCategory(system) } }
}

const aCategory =
  (bodyOf: () => object): About =>
  async ({ setup: { system } }) => ({ id: (await addFileCategory(system, { required: false })).id, body: bodyOf() })

const categoryFields = { description: '', required: false, valid_documents: [{ name: 'Payslip', expires: false }] }

/** A separate category set, so that the order names all its categories. */
const anOrder: Prepare = async (fixture) => {
  const kyc_category_id = await addKycCategory(fixture.setup.system)
  const first = await addFileCategory(fixture.setup.system, { kyc_category_id, required: false })
  const second = await addFileCategory(fixture.setup.system, { kyc_category_id, required: false })
  return by(await enterStaff(fixture), { body: { kyc_category_id, ids: [second.id, first.id] } })
}

const aSet: About = async ({ setup: { system } }) => ({
  id: await addKycCategory(system),
  body: { name: `Set ${newId()}`, archived: false },
})

export const requestsOfDocuments: Record<string, Prepare> = {
  'POST /desk/api/documents/:id/verify': about(aKycDocument()),
  'POST /desk/api/documents/:id/reject': about(aKycDocument()),
  'POST /desk/api/documents/:id/release-file': about(anUnscannedFile),
  'POST /desk/api/files/:id/release': about(anUnscannedAttachment),
  'POST /desk/api/documents/:id/unverify': about(aKycDocument(true)),
  'POST /desk/api/members/:id/documents/request': about(aKycDocumentWanted),
  'POST /desk/api/document-requests/:id/withdraw': about(aRequestedKycDocument),
  'POST /desk/api/members/:id/kyc-category': about(aSetForMember),
  'POST /desk/api/members/:id/papers-elsewhere': about(anApprovedMember),
  'POST /desk/api/file-categories/add': async (fixture) => {
    // Earlier requests have filled the set up to its maximum.
    await fixture.owner.query('update file_categories set archived_at = now() where workspace_id = $1', [
      fixture.setup.system.workspaceId,
    ])
    return by(await enterStaff(fixture), { body: { ...categoryFields, kyc_category_id: null, name: newId() } })
  },
  'POST /desk/api/file-categories/:id/change': about(
    aCategory(() => ({ ...categoryFields, name: `Category ${newId()}` })),
  ),
  'POST /desk/api/file-categories/:id/archive': about(aCategory(() => ({ archived: true }))),
  'POST /desk/api/identity-vendors/change': async (fixture) => {
    for (const table of ['identity_notifications', 'identity_checks', 'identity_vendors']) await emptied(fixture, table)
    const settings = await sumsubSettings(fixture.setup.context)
    return by(await enterStaff(fixture), { body: { app_uid: 'sumsub', version: 0, enabled: true, settings } })
  },
  'POST /desk/api/file-categories/order': anOrder,
  'POST /desk/api/kyc-categories/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { name: `Set ${newId()}` } }),
  'POST /desk/api/kyc-categories/:id/change': about(aSet),
}
