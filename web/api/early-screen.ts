import type { AnyRouter } from '@tanstack/react-router'

/** A page whose heading comes first loads by `fetchCode` (portal/heading-first.tsx). */
type Loaded = { preload?: () => Promise<unknown>; fetchCode?: () => void }

/** Fetches the code of the current screen in parallel with the requests of its route guard, once the scripts have run. */
export function fetchScreen(router: AnyRouter): void {
  setTimeout(() => {
    for (const { routeId } of router.matchRoutes(router.latestLocation)) {
      const component: Loaded | undefined = router.routesById[routeId]?.options.component
      // The screen itself shows a failed load.
      component?.preload?.().catch(() => undefined)
      component?.fetchCode?.()
    }
  })
}
