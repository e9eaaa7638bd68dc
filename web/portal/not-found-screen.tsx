import { texts } from '@atrium/contract/texts.ts'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../ui/link-button.tsx'
import { EmptyState } from '../ui/state.tsx'

export function NotFoundScreen() {
  const { t } = useTranslation()
  return (
    <main>
      <EmptyState
        isPage
        drawing="door"
        title={t(texts.notFoundPage)}
        action={<LinkButton to="/home">{t('Go to home')}</LinkButton>}
      />
    </main>
  )
}
