import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { firstNotice } from '../feedback/notice.ts'

const Notices = lazy(async () => ({ default: (await import('../feedback/notices.tsx')).Notices }))

/** Notices stand above every screen: one of a screen that leads to another is still read there. */
export function AppRoot() {
  const isNeeded = useSyncExternalStore(firstNotice.subscribe, firstNotice.wasThere)
  return (
    <>
      <Outlet />
      {isNeeded && (
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
      )}
    </>
  )
}
