import { lazy, Suspense } from 'react'

const NotFoundScreen = lazy(async () => ({ default: (await import('../not-found-screen.tsx')).NotFoundScreen }))

/** Nearly nobody comes here, so the first load does without it. */
export function NotFoundPage() {
  return (
    <Suspense fallback={null}>
      <NotFoundScreen />
    </Suspense>
  )
}
