import type { AnyRouter } from '@tanstack/react-router'

type Loaded = { preload?: () => Promise<unknown> }

/** Fetches the code of the screen at the page's address beside what its gate asks for, and not after it. */
export function fetchScreen(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const component: Loaded | undefined = router.routesById[routeId]?.options.component
    // A failure is shown where the screen would stand.
    component?.preload?.().catch(() => undefined)
  }
}
