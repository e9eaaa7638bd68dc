import { FailedScreen } from '../ui/feedback/failed-screen.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation()
  return (
    <main>
      <FailedScreen error={error} reset={reset} holds={t('No decision was made.')} />
    </main>
  )
}
