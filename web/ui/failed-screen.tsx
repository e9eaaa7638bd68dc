import { useRouter } from '@tanstack/react-router'
import { ErrorState } from './state.tsx'

type FailedScreenProps = {
  error: unknown
  reset: () => void
  /** What still stands, whatever broke. */
  holds: string
}

/** Code that is still under way is not asked for a second time by the same page. */
const isLate = (error: unknown) => error instanceof Error && 'isLate' in error && error.isLate === true

/** A screen that could not be loaded, or broke. */
export function FailedScreen({ error, reset, holds }: FailedScreenProps) {
  const router = useRouter()
  const retry = () => {
    if (isLate(error)) return location.reload()
    reset()
    router.invalidate()
  }
  return <ErrorState error={error} holds={holds} onRetry={retry} />
}
