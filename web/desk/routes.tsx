import type { DeskRight } from '@atrium/contract/staff/rights.ts'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { deskSession, useHolds } from '../features/desk-session/desk-session.ts'
import { keepResetCode } from '../features/session/reset-code.ts'
import { AppRoot } from '../ui/layout/app-root.tsx'
import { searchOf } from '../ui/lists/list-address.ts'
import { FailedPage } from './failed-page.tsx'
import { placesOf } from './navigation.ts'
import { NotFoundPage } from './not-found-page.tsx'
import type { DeskScreen, PageComponent, ScreenPage } from './screen.ts'
import { screens } from './screens.ts'
import { isNewBrokerage, requireRight, requireStaff } from './session-gate.ts'
import { ForgotPasswordPage, SignInPage } from './sign-in-page.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen's title in the header. */
    title?: string
  }
}

const root = createRootRoute({ component: AppRoot, notFoundComponent: NotFoundPage, errorComponent: FailedPage })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: SignInPage,
  beforeLoad: () => {
    if (deskSession.read()) throw redirect({ to: '/' })
  },
})

/** Precedes every other route for staff who must enrol a second factor. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  beforeLoad: () => {
    if (!deskSession.read()) throw redirect({ to: '/login' })
  },
  component: lazyRouteComponent(() => import('./second-factor-page.tsx'), 'SecondFactorPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: ForgotPasswordPage,
})

/** Reads the code and removes it from the URL immediately, so that no history, screenshot or copied URL contains it. */
const resetLink = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$code',
  beforeLoad: ({ params }) => {
    keepResetCode(params.code)
    throw redirect({ to: '/reset-password', replace: true })
  },
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})

/** The parent of all routes that need a session; the first such screen loads the frame. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireStaff,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  errorComponent: FailedPage,
})

type WithRights = { page: PageComponent; rights: Record<string, DeskRight> }

/** Tells the page which of its rights the user holds. */
function PageWithRights({ page: Page, rights }: WithRights) {
  const holds = useHolds()
  return <Page {...Object.fromEntries(Object.entries(rights).map(([property, right]) => [property, holds(right)]))} />
}

function componentOf({ load, rights }: ScreenPage) {
  const page = lazyRouteComponent(load)
  if (!rights) return page
  const withRights = () => <PageWithRights page={page} rights={rights} />
  return Object.assign(withRights, { preload: async () => page.preload?.() })
}

const routeOf = (
  { path, title, right, list, readSearch = list && searchOf(list), page }: DeskScreen,
  component = componentOf(page),
) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    staticData: { title },
    ...(right && { beforeLoad: requireRight(right) }),
    ...(readSearch && { validateSearch: readSearch }),
    component,
  })

const { deposits, ...others } = screens
const depositsPage = componentOf(deposits.page)

/** Opens the first place of the user's role, or the setup while members cannot do anything yet. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context }) => {
    const first = placesOf(context.user.type)[0]?.places[0]?.to ?? screens.unauthorized.path
    throw redirect({ to: (await isNewBrokerage(context.user)) ? screens.setup.path : first })
  },
  // Never rendered: `fetchScreen` loads the page that most roles are sent to while this decides.
  component: depositsPage,
})

/** The address of an account in earlier versions, which tickets and bookmarks may hold. */
const formerAccount = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts/$accountId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/trading-accounts/$accountId', params, replace: true })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    secondFactor,
    forgotPassword,
    resetLink,
    resetPassword,
    signedIn.addChildren([
      start,
      formerAccount,
      routeOf(deposits, depositsPage),
      ...Object.values<DeskScreen>(others).map((screen) => routeOf(screen)),
    ]),
  ]),
  basepath: '/desk',
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // Plain strings in the URL: a searched number stays readable, without quotation marks.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
})
