import { texts } from '@atrium/contract/texts.ts'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <main>
      <EmptyState
        drawing="door"
        title={t(texts.notFoundPage)}
        action={<LinkButton to="/">{t('Back to your work')}</LinkButton>}
      />
    </main>
  )
}
