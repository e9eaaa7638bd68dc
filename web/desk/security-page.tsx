import { SecuritySection } from '../features/security/security-section.tsx'
import { WorkPage } from '../ui/layout/work-page.tsx'

/** A staff member's own second factors. The frame provides sign-in and proof. */
export function SecurityPage() {
  return (
    <WorkPage>
      <SecuritySection />
    </WorkPage>
  )
}
