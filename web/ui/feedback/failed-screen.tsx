import { useRouter } from '@tanstack/react-router'
import { reloadPage } from '../forms/leave-page.ts'
import { ErrorState } from './error-state.tsx'

type FailedScreenProps = {
  error: unknown
  reset: () => void
  /** What is unaffected by the failure. */
  holds?: string
}

/** A page requests each chunk only once; a reload requests it again, from the newest build. */
const isMissing = (error: unknown) => error instanceof Error && error.name === 'SectionError'

/** Shown for a screen that failed to load or to render. */
export function FailedScreen({ error, reset, holds }: FailedScreenProps) {
  const router = useRouter()
  const retry = () => {
    if (isMissing(error)) return reloadPage()
    reset()
    router.invalidate()
  }
  return <ErrorState error={error} {...(holds !== undefined && { holds })} onRetry={retry} />
}
