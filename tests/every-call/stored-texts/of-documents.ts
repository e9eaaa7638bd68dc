import { addDocuments } from '@atrium/contract/documents/calls.ts'
import {
  addFileCategory as addFileCategoryCall,
  addKycCategory as addKycCategoryCall,
  changeFileCategory,
  changeKycCategory,
  rejectDocument,
  releaseDocumentFile,
  requestDocument,
  setKycDocumentsElsewhere,
  unverifyDocument,
} from '@atrium/contract/documents/desk-calls.ts'
import { releaseFile } from '@atrium/contract/documents/release-calls.ts'
import type pg from 'pg'
import { addDocument, addFileCategory, addKycCategory, kycDocumentMedia } from '../../fixtures/documents.ts'
import { addMedia } from '../../fixtures/requests.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import type { StoredText } from './stored-text.ts'

const fields = { description: 'What it is', required: false, valid_documents: [{ name: 'Payslip', expires: false }] }
const texts = ['name', 'description', 'valid_documents.0.name']
const ownKycDocuments = `/graph?q=${Buffer.from('{ documents { title description } }').toString('base64url')}`

/** Texts about KYC documents: by members, in decisions, and in requirements. */
export function storedKycDocumentTexts(
  { system, member: { memberId } }: TradingFixture,
  owner: pg.Client,
): StoredText[] {
  /** Deletes earlier rows, since the texts would exceed the maximum number. */
  const clear = async () => {
    for (const table of ['document_events', 'documents', 'document_requests', 'valid_documents', 'file_categories'])
      await owner.query(`delete from ${table}`)
    await owner.query('delete from kyc_categories')
  }
  const category = async () => {
    await clear()
    return addFileCategory(system, { required: false })
  }
  const document = async () => ({ id: await addDocument(system, { memberId, category: await category() }) })
  const readBack: Pick<StoredText, 'shown'> = { shown: () => [['staff', `/desk/api/members/${memberId}/documents`]] }
  const categories: Pick<StoredText, 'shown'> = { shown: () => [['staff', '/desk/api/file-categories']] }
  const emptied = (body: object) => async () => {
    await clear()
    return { ...body }
  }
  const verified = async () => {
    const { id } = await document()
    await owner.query(`update documents set status = 'approved', decided_at = now() where document_id = $1`, [id])
    return { id }
  }
  const waiting = async () => {
    const { id } = await document()
    await owner.query(
      `update media set scan = 'waiting' from documents where documents.media_id = media.media_id and document_id = $1`,
      [id],
    )
    return { id }
  }
  const notElsewhere = async () => {
    await owner.query('update members set papers_elsewhere = false where member_id = $1', [memberId])
    return { id: memberId, elsewhere: true }
  }
  const added = async () => {
    const { id, validDocuments: valid } = await category()
    const media = await addMedia(system, { memberId, ...kycDocumentMedia })
    return { documents: [media], category: id, valid_document: valid[0] }
  }
  return [
    {
      call: addDocuments,
      fields: ['title', 'description'],
      body: added,
      shown: () => [
        ['member', ownKycDocuments],
        ['staff', `/desk/api/members/${memberId}/documents`],
      ],
    },
    { call: rejectDocument, fields: ['reason'], body: document, ...readBack },
    { call: unverifyDocument, fields: ['reason'], body: verified, ...readBack },
    { call: releaseDocumentFile, fields: ['reason'], body: waiting, ...readBack },
    {
      call: releaseFile,
      fields: ['reason'],
      body: async () => ({ id: await addMedia(system, { memberId, purpose: 'ticket', scan: 'waiting' }) }),
      shown: () => [['staff', '/desk/api/audit?limit=1']],
    },
    {
      call: requestDocument,
      fields: ['note'],
      body: async () => ({ id: memberId, category: (await category()).id }),
      ...readBack,
    },
    { call: setKycDocumentsElsewhere, fields: ['reason'], body: notElsewhere, ...readBack },
    {
      call: addFileCategoryCall,
      fields: texts,
      body: emptied({ ...fields, name: 'Funds', kyc_category_id: null }),
      ...categories,
    },
    {
      call: changeFileCategory,
      fields: texts,
      body: async () => ({ ...fields, name: 'Funds', id: (await category()).id }),
      ...categories,
    },
    { call: addKycCategoryCall, fields: ['name'], body: emptied({ name: 'Companies' }), ...categories },
    {
      call: changeKycCategory,
      fields: ['name'],
      body: async () => {
        await clear()
        return { id: await addKycCategory(system), name: 'Companies', archived: false }
      },
      ...categories,
    },
  ]
}
