import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import { useTranslation } from '../text/use-translation.ts'
import { identityLabels } from './identity-labels.ts'
import { StatusPill } from './status-pill.tsx'

/** The state of a member's identity verification; null from a server of the previous version. */
export function IdentityLevel({ status }: { status: DocumentsStatus | null }) {
  const { t } = useTranslation()
  if (status === null) return null
  const { label, meaning } = identityLabels[status]
  return <StatusPill meaning={meaning} label={t(label)} />
}
