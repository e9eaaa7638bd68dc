import { SecuritySection } from '../features/security/security-section.tsx'
import parts from './security-page.module.css'

/** One's own second factors, for staff. The frame has the door and the proof. */
export function SecurityPage() {
  return (
    <div className={parts.page}>
      <SecuritySection />
    </div>
  )
}
