import type { MemberKycDocuments } from '@atrium/contract/documents/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
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
  const form = useCallForm({
    start: { reason: '' },
    labels: { reason: 'Reason' },
    check: ({ reason }) => (reason.trim() === '' ? { reason: [deskTexts.reasonMissing] } : {}),
    send: ({ reason }) => change.mutateAsync({ do: 'elsewhere', elsewhere, reason }),
    onDone: onClose,
  })
  return (
    <CallDialog
      form={form}
      title={
        elsewhere
          ? t('Was {{name}} verified outside the portal?', { name: memberDocuments.member.name })
          : t('Require documents from {{name}} here?', { name: memberDocuments.member.name })
      }
      size={480}
      submit={t('Confirm')}
      cancel={t('Not now')}
      onClose={onClose}
    >
      <p>
        {elsewhere
          ? t('Every required document then counts as approved without an upload.')
          : t('Required documents then have to be uploaded and verified here.')}
      </p>
      <Textarea
        label={t('Reason')}
        required
        data-autofocus
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={form.values.reason}
        error={form.errorOf('reason')}
        onChange={(event) => form.change({ reason: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
