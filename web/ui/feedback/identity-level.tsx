import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import { useTranslation } from 'react-i18next'
import { identityLabels } from './identity-labels.ts'
import { StatusPill } from './status-pill.tsx'

/** How far a member's identity is verified; a process of the version before does not say. */
export function IdentityLevel({ status }: { status: DocumentsStatus | null }) {
  const { t } = useTranslation()
  if (status === null) return null
  const { label, meaning } = identityLabels[status]
  return <StatusPill meaning={meaning} label={t(label)} />
}
