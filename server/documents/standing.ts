import type { DocumentNeed } from '@atrium/contract/documents/calls.ts'
import type { RequirementStatus } from '@atrium/contract/documents/states.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'

/** What of a document counts for how its member stands. */
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

/** A day is over when the next one has begun where the brokerage works, so an approved KYC document holds good on its last day. */
const isApproved = ({ status, expires_on }: KycDocument, today: string): boolean =>
  status === 'approved' && (expires_on === null || expires_on >= today)

/** How what is asked for stands by the KYC documents that were handed in for it, newest first. */
export function standingOf(papers: readonly KycDocument[], today: string): RequirementStatus {
  if (papers.some((paper) => isApproved(paper, today))) return 'approved'
  if (papers.some(({ status }) => status === 'in_verification')) return 'in_verification'
  const [newest] = papers
  if (!newest) return 'missing'
  // Approved until a day that has passed: its member is asked for another one.
  return newest.status === 'rejected' ? 'rejected' : 'pending'
}

/** What the brokerage asks this member for: each required category, and each KYC document that staff asked for. */
export function needsOf(
  { categories, requests }: Asked,
  papers: readonly KycDocument[],
  today: string,
): DocumentNeed[] {
  const required = categories.filter((category) => category.required)
  const ofAll = required.map(({ file_category_id: id, name }): DocumentNeed => {
    const standing = standingOf(
      papers.filter((paper) => paper.file_category_id === id),
      today,
    )
    return { kind: 'category', _id: id, category: id, name, note: '', valid_document: null, standing }
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
    const standing = standingOf(
      papers.filter((paper) => paper.document_request_id === id),
      today,
    )
    return { kind: 'request', _id: id, category, name, note, valid_document, standing }
  })
  return [...ofAll, ...ofOne]
}

/**
 * How the KYC documents of a member stand as a whole. Null where no category is required: then KYC documents say nothing about anybody,
 * and nobody is approved for having handed in none.
 */
export function memberStatusOf(needs: readonly DocumentNeed[]): DocumentsStatus | null {
  if (!needs.some(({ kind }) => kind === 'category')) return null
  const stands = (standing: RequirementStatus) => needs.some((need) => need.standing === standing)
  if (needs.every(({ standing }) => standing === 'approved')) return 'approved'
  if (stands('rejected')) return 'rejected'
  return stands('missing') || stands('pending') ? 'pending' : 'in_verification'
}
