import type { DocumentNeed } from '@atrium/contract/documents/calls.ts'
import type { RequirementStatus } from '@atrium/contract/documents/states.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'

/** The columns of a document that decide the member's status. */
export type KycDocument = {
  file_category_id: string
  document_request_id: string | null
  status: string
  expires_on: string | null
}
export type AskedCategory = { file_category_id: string; name: string; required: boolean }
export type AskedKycDocument = {
  document_request_id: string
  file_category_id: string
  valid_document_id: string | null
  name: string
  note: string
  state: string
}
export type Asked = { categories: readonly AskedCategory[]; requests: readonly AskedKycDocument[] }

/** An approved document is valid to the end of its last day, in the time zone of the brokerage. */
const isApproved = ({ status, expires_on }: KycDocument, today: string): boolean =>
  status === 'approved' && (expires_on === null || expires_on >= today)

/** The status of a requirement from the KYC documents added for it, newest first. */
export function statusOf(documents: readonly KycDocument[], today: string): RequirementStatus {
  if (documents.some((document) => isApproved(document, today))) return 'approved'
  if (documents.some(({ status }) => status === 'in_verification')) return 'in_verification'
  const [newest] = documents
  if (!newest) return 'missing'
  // An approved document that has expired: the member must add another one.
  return newest.status === 'rejected' ? 'rejected' : 'pending'
}

/** The member's requirements: each required category, and each KYC document that staff requested. */
export function requirementsOf(
  { categories, requests }: Asked,
  documents: readonly KycDocument[],
  today: string,
): DocumentNeed[] {
  const required = categories.filter((category) => category.required)
  const ofAll = required.map(({ file_category_id: id, name }): DocumentNeed => {
    const status = statusOf(
      documents.filter((document) => document.file_category_id === id),
      today,
    )
    return { kind: 'category', _id: id, category: id, name, note: '', valid_document: null, standing: status }
  })
  const open = requests.filter(({ state }) => state === 'open')
  const ofOne = open.map((request): DocumentNeed => {
    const {
      document_request_id: id,
      file_category_id: category,
      valid_document_id: valid_document,
      name,
      note,
    } = request
    const status = statusOf(
      documents.filter((document) => document.document_request_id === id),
      today,
    )
    return { kind: 'request', _id: id, category, name, note, valid_document, standing: status }
  })
  return [...ofAll, ...ofOne]
}

/**
 * The member's overall KYC status, before `settleStatus` keeps an earlier approval. Where no category is required,
 * documents approve nobody: a member is approved only if staff confirmed a verification outside the portal.
 */
export function memberStatusOf(needs: readonly DocumentNeed[], isVerifiedElsewhere: boolean): DocumentsStatus {
  const has = (status: RequirementStatus) => needs.some((need) => need.standing === status)
  const canBeApproved = isVerifiedElsewhere || needs.some(({ kind }) => kind === 'category')
  if (canBeApproved && needs.every(({ standing }) => standing === 'approved')) return 'approved'
  if (has('rejected')) return 'rejected'
  const isWaiting = has('in_verification') && !has('missing') && !has('pending')
  return isWaiting ? 'in_verification' : 'pending'
}
