import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../ui/state.tsx'

/** A screen that could not be loaded, or broke. */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <main>
      <ErrorState error={error} holds={t('Nothing was decided.')} onRetry={retry} />
    </main>
  )
}
