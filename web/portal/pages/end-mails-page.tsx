import '../../ui/layout/shell-styles.ts'
import { useParams } from '@tanstack/react-router'
import { EndMails } from '../../features/notifications/end-mails.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { BrandedEntrance } from '../branded-entrance.tsx'

/** The target of an email's unsubscribe link; needs no sign-in. */
export function EndMailsPage() {
  const { t } = useTranslation()
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  return (
    <BrandedEntrance title={t('Unsubscribe from emails')} help={t('Emails about your security are always sent.')}>
      <EndMails token={token} />
      <LinkButton to="/profile" variant="default" mt="md" fullWidth>
        {t('Manage email notifications')}
      </LinkButton>
    </BrandedEntrance>
  )
}
