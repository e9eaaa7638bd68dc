import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { lazySection } from '../api/section.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { keepResetCode } from '../features/session/reset-code.ts'
import { AppRoot } from '../ui/layout/app-root.tsx'
import { parseSearchParams, stringifySearchParams } from '../ui/lists/search-params.ts'
import { headingFirst } from './heading-first.tsx'
import { headings } from './headings.ts'
import { FailedPage, FailedSection } from './pages/failed-page.tsx'
import { FundsPage, FundsStart } from './pages/funds-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { prefetchAccounts, prefetchHome } from './prefetch.ts'
import { gateScreens, requireSession } from './session-gate.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: AppRoot, notFoundComponent: NotFoundPage, errorComponent: FailedPage })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazySection(() => import('./pages/login-page.tsx'), 'LoginPage'),
  beforeLoad: () => {
    if (portalSession.read()) throw redirect({ to: '/home/' })
  },
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazySection(() => import('./pages/login-page.tsx'), 'ForgotPasswordPage'),
})

/** The code is read and removed from the address immediately, so that no history, screenshot or copied address has it. */
const resetLink = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$code',
  beforeLoad: ({ params }) => {
    keepResetCode(params.code)
    throw redirect({ to: '/reset-password/', replace: true })
  },
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazySection(() => import('./pages/reset-password-page.tsx'), 'ResetPasswordPage'),
})

/** The unsubscribe link of an email; needs no sign-in. */
const endMails = createRoute({
  getParentRoute: () => root,
  path: '/end-mails/$token',
  component: lazySection(() => import('./pages/end-mails-page.tsx'), 'EndMailsPage'),
})

/** Shown before everything else to a user who must set up a second factor. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  beforeLoad: () => {
    if (!portalSession.read()) throw redirect({ to: '/login' })
  },
  component: lazySection(() => import('./pages/second-factor-page.tsx'), 'SecondFactorPage'),
})

/** All routes below need a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: Shell,
  errorComponent: FailedPage,
})

const homePage = lazySection(() => import('./pages/home-page.tsx'), 'HomePage')

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/home/' })
  },
  // Never rendered: `fetchScreen` loads it while the router redirects.
  component: homePage,
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/home',
  component: homePage,
  loader: prefetchHome,
})

const unauthorized = createRoute({
  getParentRoute: () => signedIn,
  path: '/unauthorized',
  component: lazySection(() => import('./pages/unauthorized-page.tsx'), 'UnauthorizedPage'),
})

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazySection(() => import('./pages/profile-page.tsx'), 'ProfilePage'),
})

const changePassword = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile/change_password',
  component: lazySection(() => import('./pages/change-password-page.tsx'), 'ChangePasswordPage'),
})

const sales = createRoute({
  getParentRoute: () => signedIn,
  path: '/sales',
  component: lazySection(() => import('./pages/sales-page.tsx'), 'SalesPage'),
})

const accountsPage = headingFirst(headings.accounts, () => import('./pages/accounts-page.tsx'), 'AccountsPage')

const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  component: accountsPage,
  loader: (arrival) => {
    accountsPage.fetchCode()
    prefetchAccounts(arrival)
  },
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts/$accountId',
  component: lazySection(() => import('./pages/account-page.tsx'), 'AccountPage'),
})

const openLiveAccount = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts/open-live-account',
  component: lazySection(() => import('./pages/open-account-page.tsx'), 'OpenLiveAccountPage'),
})

const openDemoAccount = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts/open-demo-account',
  component: lazySection(() => import('./pages/open-account-page.tsx'), 'OpenDemoAccountPage'),
})

const funds = createRoute({
  getParentRoute: () => signedIn,
  path: '/funds',
  component: FundsPage,
})

const fundsStart = createRoute({
  getParentRoute: () => funds,
  path: '/',
  component: FundsStart,
})

const depositPage = headingFirst(headings.deposit, () => import('./pages/deposit-page.tsx'), 'DepositPage')

const deposit = createRoute({
  getParentRoute: () => funds,
  path: '/deposit/{-$accountId}',
  component: depositPage,
  loader: (arrival) => {
    depositPage.fetchCode()
    // The page requests what this could not.
    import('./prefetch-deposit.ts').then(({ prefetchDeposit }) => prefetchDeposit(arrival)).catch(() => undefined)
  },
})

const demoDeposit = createRoute({
  getParentRoute: () => funds,
  path: '/deposit-demo/{-$accountId}',
  component: lazySection(() => import('./pages/demo-deposit-page.tsx'), 'DemoDepositPage'),
})

/** The return address of payment pages; its parameters are never trusted. */
const depositProcessing = createRoute({
  getParentRoute: () => signedIn,
  path: '/deposit-processing/{-$order}',
  component: lazySection(() => import('./pages/deposit-processing-page.tsx'), 'DepositProcessingPage'),
})

/** Needs a session, but has no shell: the provider's page needs the space. */
const signedInAlone = createRoute({ getParentRoute: () => root, id: 'signed-in-alone', beforeLoad: requireSession })

const rpnpayPayment = createRoute({
  getParentRoute: () => signedInAlone,
  path: '/rpnpay-payment',
  component: lazySection(() => import('./pages/rpnpay-payment-page.tsx'), 'RpnpayPaymentPage'),
})

const withdrawPage = headingFirst(headings.withdraw, () => import('./pages/withdraw-page.tsx'), 'WithdrawPage')

const withdraw = createRoute({
  getParentRoute: () => funds,
  path: '/withdraw/{-$accountId}',
  component: withdrawPage,
  loader: withdrawPage.fetchCode,
})

const transactionsPage = headingFirst(
  headings.transactions,
  () => import('./pages/transactions-page.tsx'),
  'TransactionsPage',
)

const transactions = createRoute({
  getParentRoute: () => funds,
  path: '/transactions',
  component: transactionsPage,
  loader: transactionsPage.fetchCode,
})

const bankAccounts = createRoute({
  getParentRoute: () => funds,
  path: '/bank-accounts',
  component: lazySection(() => import('./pages/bank-accounts-page.tsx'), 'BankAccountsPage'),
})

const otherAccounts = createRoute({
  getParentRoute: () => funds,
  path: '/other-accounts',
  component: lazySection(() => import('./pages/other-accounts-page.tsx'), 'OtherAccountsPage'),
})

/** The same list at its own address, as the specification says. */
const transactionsAlone = createRoute({
  getParentRoute: () => signedIn,
  path: '/transactions',
  component: transactionsPage,
  loader: transactionsPage.fetchCode,
})

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard',
  component: lazySection(() => import('./pages/dashboard-page.tsx'), 'DashboardPage'),
})

const platforms = createRoute({
  getParentRoute: () => signedIn,
  path: '/platforms',
  component: lazySection(() => import('./pages/platforms-page.tsx'), 'PlatformsPage'),
})

const support = createRoute({
  getParentRoute: () => signedIn,
  path: '/support',
  component: lazySection(() => import('./pages/support-page.tsx'), 'SupportPage'),
})

const documents = createRoute({
  getParentRoute: () => signedIn,
  path: '/documents',
  component: lazySection(() => import('./pages/documents-page.tsx'), 'DocumentsPage'),
})

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests',
  component: lazySection(() => import('./pages/requests-page.tsx'), 'RequestsPage'),
})

const requestType = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests-types/$id',
  component: lazySection(() => import('./pages/request-type-page.tsx'), 'RequestTypePage'),
})

const form = createRoute({
  getParentRoute: () => signedIn,
  path: '/form/$id/$name',
  component: lazySection(() => import('./pages/form-page.tsx'), 'FormPage'),
})

const routeTree = root.addChildren([
  login,
  forgotPassword,
  resetLink,
  resetPassword,
  endMails,
  secondFactor,
  start,
  signedInAlone.addChildren([rpnpayPayment]),
  signedIn.addChildren([
    home,
    unauthorized,
    profile,
    changePassword,
    sales,
    accounts,
    account,
    dashboard,
    transactionsAlone,
    documents,
    openLiveAccount,
    openDemoAccount,
    platforms,
    support,
    depositProcessing,
    requests,
    requestType,
    form,
    funds.addChildren([fundsStart, deposit, demoDeposit, withdraw, transactions, bankAccounts, otherAccounts]),
  ]),
])

function createPortalRouter() {
  const router = createRouter({
    routeTree,
    trailingSlash: 'preserve',
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundPage,
    // A failed screen leaves the surrounding frame working.
    defaultErrorComponent: FailedSection,
    scrollRestoration: true,
    parseSearch: parseSearchParams,
    stringifySearch: stringifySearchParams,
  })
  gateScreens(router, signedIn)
  gateScreens(router, signedInAlone)
  return router
}

let opened: ReturnType<typeof createPortalRouter> | undefined

/** The page's only router, created on the first use: it takes a slow phone 40 ms, and the script before it takes as long. */
export function openRouter() {
  opened ??= createPortalRouter()
  return opened
}
