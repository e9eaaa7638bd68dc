import { useRouter } from '@tanstack/react-router'
import { ErrorState } from './state.tsx'

type FailedScreenProps = {
  error: unknown
  reset: () => void
  /** What still stands, whatever broke. */
  holds: string
}

/** A screen that could not be loaded, or broke. */
export function FailedScreen({ error, reset, holds }: FailedScreenProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <main>
      <ErrorState error={error} holds={holds} onRetry={retry} />
    </main>
  )
}
