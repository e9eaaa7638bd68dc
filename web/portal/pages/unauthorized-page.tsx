import { EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

export function UnauthorizedPage() {
  const { t } = useTranslation()
  return (
    <EmptyState
      isPage
      drawing="door"
      title={t('You do not have access to this page')}
      text={t('If you think you should, please contact support.')}
      action={<LinkButton to="/home">{t('Go to home')}</LinkButton>}
    />
  )
}
