import { useHolds } from '../features/desk-session/desk-session.ts'
import { NewTerms, TermsDesk } from '../features/desk-terms/terms-desk.tsx'
import { TermsList } from '../features/desk-terms/terms-list.tsx'

export function TermsListPage() {
  return <TermsList mayManage={useHolds()('terms.manage')} />
}

export function TermsPage() {
  return <TermsDesk mayManage={useHolds()('terms.manage')} />
}

export function NewTermsPage() {
  return <NewTerms />
}
