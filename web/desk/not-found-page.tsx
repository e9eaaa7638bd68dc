import { texts } from '@atrium/contract/texts.ts'
import { EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

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
