import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { readQueueSearch } from '../features/desk-deposits/deposit-queue.ts'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { FailedPage } from './failed-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { requireStaff } from './session-gate.ts'
import { SignInPage } from './sign-in-page.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the header calls the screen. */
    title?: string
  }
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: FailedPage })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: SignInPage,
  beforeLoad: () => {
    if (deskSession.read()) throw redirect({ to: '/deposits' })
  },
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/deposits' })
  },
})

/** Everything behind it needs a session; the frame is loaded with the first such screen. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireStaff,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  errorComponent: FailedPage,
})

const deposits = createRoute({
  getParentRoute: () => signedIn,
  path: '/deposits/{-$depositId}',
  staticData: { title: 'Deposits' },
  validateSearch: readQueueSearch,
  component: lazyRouteComponent(() => import('./deposits-page.tsx'), 'DepositsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([login, start, signedIn.addChildren([deposits])]),
  basepath: '/desk',
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // Plain words in the address: a searched number stays a number for the reader, without quotation marks.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
})
