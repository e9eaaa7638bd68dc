import { lazy, Suspense, useSyncExternalStore } from 'react'
import { firstNotice } from './notice.ts'

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }))

/** Above every screen: a notice of one that leads to another is still read there. */
export function NoticesPlace() {
  const isNeeded = useSyncExternalStore(firstNotice.subscribe, firstNotice.wasThere)
  if (!isNeeded) return null
  return (
    <Suspense fallback={null}>
      <Notices />
    </Suspense>
  )
}
