import { texts } from '@atrium/contract/texts.ts'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../ui/link-button.tsx'
import { EmptyState } from '../ui/state.tsx'

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
