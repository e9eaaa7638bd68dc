import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Boundary } from './boundary.tsx'
import { firstToast } from './toast.ts'

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }))

/** Above every screen, so that a toast remains visible after navigation. */
export function ToastContainer() {
  const isNeeded = useSyncExternalStore(firstToast.subscribe, firstToast.wasThere)
  if (!isNeeded) return null
  return (
    <Boundary fallback={null}>
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
    </Boundary>
  )
}
