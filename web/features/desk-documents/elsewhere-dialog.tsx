import type { MemberKycDocuments } from '@atrium/contract/documents/desk-calls.ts'
import { useState } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ReasonDialog } from '../desk-members/reason-dialog.tsx'
import { useKycDocumentsChange } from './use-documents.ts'

/** Marks KYC documents as held elsewhere, or requests them here again. */
export function ElsewhereDialog({
  memberDocuments,
  onClose,
}: {
  memberDocuments: MemberKycDocuments
  onClose: () => void
}) {
  const { t } = useTranslation()
  const change = useKycDocumentsChange(memberDocuments.member._id)
  // At opening: when a colleague confirms the same meanwhile, the question must not turn into its opposite.
  const [elsewhere] = useState(!memberDocuments.papers_elsewhere)
  return (
    <ReasonDialog
      title={
        elsewhere
          ? t('Was {{name}} verified outside the portal?', { name: memberDocuments.member.name })
          : t('Require documents from {{name}} here?', { name: memberDocuments.member.name })
      }
      consequence={
        elsewhere
          ? t('Every required document then counts as approved without an upload.')
          : t('Required documents then have to be uploaded and verified here.')
      }
      action={t('Confirm')}
      notNow={t('Not now')}
      isCalm
      start={{}}
      send={({ reason }) => change.mutateAsync({ do: 'elsewhere', elsewhere, reason })}
      onClose={onClose}
    />
  )
}
