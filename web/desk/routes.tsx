import { accountsList, differencesList } from '@atrium/contract/account-sync/desk-list.ts'
import { auditList } from '@atrium/contract/audit-log/desk-list.ts'
import { documentsList } from '@atrium/contract/documents/desk-list.ts'
import { formsList } from '@atrium/contract/forms/forms-list.ts'
import { depositsList, withdrawalsList } from '@atrium/contract/funding/desk-lists.ts'
import { membersList } from '@atrium/contract/members/desk-list.ts'
import { mailsList } from '@atrium/contract/notifications/dead-letters-list.ts'
import { openingsList } from '@atrium/contract/openings/desk-list.ts'
import { daysList } from '@atrium/contract/reconciliation/days-list.ts'
import { requestsList } from '@atrium/contract/requests/desk-list.ts'
import { ticketsList } from '@atrium/contract/tickets/desk-list.ts'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { depositsOutline } from '../features/desk-deposits/deposits-outline.ts'
import { deskSession } from '../features/desk-session/desk-session.ts'
import { readOneTermsSearch, readTermsSearch } from '../features/desk-terms/terms-search.ts'
import { keepResetCode } from '../features/session/reset-code.ts'
import { AppRoot } from '../ui/layout/app-root.tsx'
import { searchOf } from '../ui/lists/list-address.ts'
import { FailedPage } from './failed-page.tsx'
import { placesOf } from './navigation.ts'
import { NotFoundPage } from './not-found-page.tsx'
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

const depositsPage = lazyRouteComponent(() => import('./deposits-page.tsx'), 'DepositsPage')

/** Opens the first place of the user's role, or the setup while members cannot do anything yet. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context }) => {
    const first = placesOf(context.user.type)[0]?.places[0]?.to ?? '/unauthorized'
    throw redirect({ to: (await isNewBrokerage(context.user)) ? '/setup' : first })
  },
  // Never rendered: `fetchScreen` loads the page that most roles are sent to while this decides.
  component: depositsPage,
})

const setup = createRoute({
  getParentRoute: () => signedIn,
  path: '/setup',
  beforeLoad: requireRight('workspace.manage'),
  staticData: { title: 'Setup' },
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
})

const unauthorized = createRoute({
  getParentRoute: () => signedIn,
  path: '/unauthorized',
  staticData: { title: 'No access' },
  component: lazyRouteComponent(() => import('./unauthorized-page.tsx'), 'UnauthorizedPage'),
})

const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/security',
  staticData: { title: 'Your security' },
  component: lazyRouteComponent(() => import('./security-page.tsx'), 'SecurityPage'),
})

const deposits = createRoute({
  getParentRoute: () => signedIn,
  path: '/deposits/{-$depositId}',
  beforeLoad: requireRight('money.read'),
  staticData: { title: depositsOutline.title },
  validateSearch: searchOf(depositsList),
  component: depositsPage,
})

const withdrawals = createRoute({
  getParentRoute: () => signedIn,
  path: '/withdrawals/{-$withdrawalId}',
  beforeLoad: requireRight('money.read'),
  staticData: { title: 'Withdrawals' },
  validateSearch: searchOf(withdrawalsList),
  component: lazyRouteComponent(() => import('./withdrawals-page.tsx'), 'WithdrawalsPage'),
})

const tickets = createRoute({
  getParentRoute: () => signedIn,
  path: '/tickets/{-$ticketId}',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Tickets' },
  validateSearch: searchOf(ticketsList),
  component: lazyRouteComponent(() => import('./tickets-page.tsx'), 'TicketsPage'),
})

const reconciliation = createRoute({
  getParentRoute: () => signedIn,
  path: '/reconciliation/{-$day}',
  beforeLoad: requireRight('money.read'),
  staticData: { title: 'Reconciliation' },
  validateSearch: searchOf(daysList),
  component: lazyRouteComponent(() => import('./reconciliation-page.tsx'), 'ReconciliationPage'),
})

const payments = createRoute({
  getParentRoute: () => signedIn,
  path: '/payments/{-$part}',
  beforeLoad: requireRight('money.read'),
  staticData: { title: 'Payments' },
  component: lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
})

const members = createRoute({
  getParentRoute: () => signedIn,
  path: '/members/{-$memberId}',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Members' },
  validateSearch: searchOf(membersList),
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

const documents = createRoute({
  getParentRoute: () => signedIn,
  path: '/documents/{-$documentId}',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Documents' },
  validateSearch: searchOf(documentsList),
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
})

const memberKycDocuments = createRoute({
  getParentRoute: () => signedIn,
  path: '/members/$memberId/documents',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Documents of a member' },
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'MemberKycDocumentsPage'),
})

const documentCategories = createRoute({
  getParentRoute: () => signedIn,
  path: '/document-categories',
  beforeLoad: requireRight('workspace.manage'),
  staticData: { title: 'Document categories' },
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentCategoriesPage'),
})

const accountList = createRoute({
  getParentRoute: () => signedIn,
  path: '/trading-accounts',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Accounts' },
  validateSearch: searchOf(accountsList),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountListPage'),
})

const accountDifferences = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Account discrepancies' },
  validateSearch: searchOf(differencesList),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountDifferencesPage'),
})

const tradingAccount = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts/$accountId',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Trading account' },
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'TradingAccountPage'),
})

const openings = createRoute({
  getParentRoute: () => signedIn,
  path: '/openings',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Account applications' },
  validateSearch: searchOf(openingsList),
  component: lazyRouteComponent(() => import('./openings-page.tsx'), 'OpeningsPage'),
})

const mails = createRoute({
  getParentRoute: () => signedIn,
  path: '/mails',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Undelivered emails' },
  validateSearch: searchOf(mailsList),
  component: lazyRouteComponent(() => import('./mails-page.tsx'), 'MailsPage'),
})

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  beforeLoad: requireRight('audit.read'),
  staticData: { title: 'Audit log' },
  validateSearch: searchOf(auditList),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})

const termsList = createRoute({
  getParentRoute: () => signedIn,
  path: '/terms',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Terms' },
  validateSearch: readTermsSearch,
  component: lazyRouteComponent(() => import('./terms-page.tsx'), 'TermsListPage'),
})

const newTerms = createRoute({
  getParentRoute: () => signedIn,
  path: '/terms/new',
  beforeLoad: requireRight('terms.manage'),
  staticData: { title: 'Terms' },
  component: lazyRouteComponent(() => import('./terms-page.tsx'), 'NewTermsPage'),
})

const terms = createRoute({
  getParentRoute: () => signedIn,
  path: '/terms/$termsId/{-$part}',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Terms' },
  validateSearch: readOneTermsSearch,
  component: lazyRouteComponent(() => import('./terms-page.tsx'), 'TermsPage'),
})

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests/{-$requestId}',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Requests' },
  validateSearch: searchOf(requestsList),
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
})

const requestTypes = createRoute({
  getParentRoute: () => signedIn,
  path: '/request-types',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Request types' },
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestTypesPage'),
})

const forms = createRoute({
  getParentRoute: () => signedIn,
  path: '/forms',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Forms' },
  validateSearch: searchOf(formsList),
  component: lazyRouteComponent(() => import('./forms-page.tsx'), 'FormsPage'),
})

const form = createRoute({
  getParentRoute: () => signedIn,
  path: '/forms/$formId/{-$part}',
  beforeLoad: requireRight('members.read'),
  staticData: { title: 'Form' },
  component: lazyRouteComponent(() => import('./forms-page.tsx'), 'FormPage'),
})

const platforms = createRoute({
  getParentRoute: () => signedIn,
  path: '/platforms/{-$platformId}/{-$part}',
  beforeLoad: requireRight('workspace.manage'),
  staticData: { title: 'Platforms' },
  component: lazyRouteComponent(() => import('./platforms-page.tsx'), 'PlatformsPage'),
})

const providers = createRoute({
  getParentRoute: () => signedIn,
  path: '/providers/{-$providerId}/{-$part}',
  beforeLoad: requireRight('workspace.manage'),
  staticData: { title: 'Payment providers' },
  component: lazyRouteComponent(() => import('./providers-page.tsx'), 'ProvidersPage'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/{-$section}',
  beforeLoad: requireRight('workspace.manage'),
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

const staff = createRoute({
  getParentRoute: () => signedIn,
  path: '/staff',
  beforeLoad: requireRight('staff.manage'),
  staticData: { title: 'Staff' },
  component: lazyRouteComponent(() => import('./staff-page.tsx'), 'StaffPage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  staticData: { title: 'Your account' },
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    secondFactor,
    forgotPassword,
    resetLink,
    resetPassword,
    signedIn.addChildren([
      ...[start, unauthorized, security, deposits, withdrawals, tickets, payments, members, openings, mails],
      ...[documents, memberKycDocuments, documentCategories],
      ...[accountList, accountDifferences, tradingAccount, reconciliation, audit, termsList, newTerms, terms],
      ...[requests, requestTypes, forms, form],
      ...[setup, platforms, providers, settings, staff, account],
    ]),
  ]),
  basepath: '/desk',
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // Plain strings in the URL: a searched number stays readable, without quotation marks.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
})
