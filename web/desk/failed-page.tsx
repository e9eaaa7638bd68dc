import { useTranslation } from 'react-i18next'
import { FailedScreen } from '../ui/feedback/failed-screen.tsx'

export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation()
  return (
    <main>
      <FailedScreen error={error} reset={reset} holds={t('No decision was made.')} />
    </main>
  )
}
