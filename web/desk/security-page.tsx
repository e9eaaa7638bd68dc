import { SecuritySection } from '../features/security/security-section.tsx'
import { WorkPage } from '../ui/layout/work-page.tsx'

/** One's own second factors, for staff. The frame has the door and the proof. */
export function SecurityPage() {
  return (
    <WorkPage>
      <SecuritySection />
    </WorkPage>
  )
}
