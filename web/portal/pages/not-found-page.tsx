import { lazy, Suspense } from 'react'

const NotFoundScreen = lazy(async () => ({ default: (await import('../not-found-screen.tsx')).NotFoundScreen }))

/** A separate chunk, since this page is rarely shown. */
export function NotFoundPage() {
  return (
    <Suspense fallback={null}>
      <NotFoundScreen />
    </Suspense>
  )
}
