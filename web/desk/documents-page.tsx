import { useParams } from '@tanstack/react-router'
import { CategoriesDesk } from '../features/desk-documents/categories-desk.tsx'
import { DocumentsDesk } from '../features/desk-documents/documents-desk.tsx'
import { MemberKycDocuments } from '../features/desk-documents/member-kyc-documents.tsx'
import { PersonBeside } from '../features/desk-members/member-beside.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function DocumentsPage() {
  return (
    <DocumentsDesk
      mayDecide={useHolds()('documents.decide')}
      drawPerson={(memberId) => <PersonBeside id={memberId} />}
    />
  )
}

export function MemberKycDocumentsPage() {
  const { memberId = '' } = useParams({ strict: false }) as { memberId?: string }
  return <MemberKycDocuments key={memberId} memberId={memberId} mayDecide={useHolds()('documents.decide')} />
}

export function DocumentCategoriesPage() {
  return <CategoriesDesk />
}
