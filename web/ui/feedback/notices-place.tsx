import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Boundary } from './boundary.tsx'
import { firstNotice } from './notice.ts'

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }))

/** Above every screen, so that a notice remains visible after navigation. */
export function NoticesPlace() {
  const isNeeded = useSyncExternalStore(firstNotice.subscribe, firstNotice.wasThere)
  if (!isNeeded) return null
  return (
    <Boundary fallback={null}>
      <Suspense fallback={null}>
        <Notices />
      </Suspense>
    </Boundary>
  )
}
