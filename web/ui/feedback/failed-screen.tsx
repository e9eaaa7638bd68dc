import { useRouter } from '@tanstack/react-router'
import { reloadPage } from '../forms/leave-page.ts'
import { ErrorState } from './error-state.tsx'

type FailedScreenProps = {
  error: unknown
  reset: () => void
  /** What still stands, whatever broke. */
  holds?: string
}

/** Code that did not come is asked for once by each page; a fresh one asks again, and finds the newest. */
const isMissing = (error: unknown) => error instanceof Error && error.name === 'SectionError'

/** A screen that could not be loaded, or broke. */
export function FailedScreen({ error, reset, holds }: FailedScreenProps) {
  const router = useRouter()
  const retry = () => {
    if (isMissing(error)) return reloadPage()
    reset()
    router.invalidate()
  }
  return <ErrorState error={error} {...(holds !== undefined && { holds })} onRetry={retry} />
}
