import { useTranslation } from '../../ui/text/use-translation.ts'
import { ReasonDialog } from '../desk-members/reason-dialog.tsx'
import { type OpeningRow, useEndOpening } from './use-openings.ts'

/** Ends an application whose outcome the platform does not tell. */
export function EndDialog({ opening, onClose }: { opening: OpeningRow; onClose: () => void }) {
  const { t } = useTranslation()
  const end = useEndOpening(opening._id)
  return (
    <ReasonDialog
      title={t('End this application?')}
      consequence={t(
        'Only possible while the platform is switched off or does not answer. The member is notified by email, without the reason, and can open another account. If the account appears on the platform later, it is still added.',
      )}
      reasonHelp={t('Visible to staff only.')}
      action={t('End application')}
      notNow={t('Not now')}
      start={{}}
      send={end.mutateAsync}
      done={t('The application was ended.')}
      onClose={onClose}
    />
  )
}
