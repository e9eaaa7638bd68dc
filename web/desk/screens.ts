import { accountsList, differencesList } from '@atrium/contract/account-sync/desk-list.ts'
import { auditList } from '@atrium/contract/audit-log/desk-list.ts'
import { documentsList } from '@atrium/contract/documents/desk-list.ts'
import { formsList } from '@atrium/contract/forms/desk-list.ts'
import { depositsList, withdrawalsList } from '@atrium/contract/funding/desk-list.ts'
import { membersList } from '@atrium/contract/members/desk-list.ts'
import { mailsList } from '@atrium/contract/notifications/desk-list.ts'
import { openingsList } from '@atrium/contract/openings/desk-list.ts'
import { daysList } from '@atrium/contract/reconciliation/desk-list.ts'
import { requestsList } from '@atrium/contract/requests/desk-list.ts'
import { ticketsList } from '@atrium/contract/tickets/desk-list.ts'
import {
  IconArrowsDiff,
  IconBuildingBank,
  IconCashBanknote,
  IconClipboardList,
  IconContract,
  IconCreditCard,
  IconFileCheck,
  IconForms,
  IconHistory,
  IconId,
  IconListCheck,
  IconListDetails,
  IconMailX,
  IconReceipt,
  IconScale,
  IconServer2,
  IconSettings,
  IconTicket,
  IconUserPlus,
  IconUsers,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react'
import { depositsOutline } from '../features/desk-deposits/deposits-outline.ts'
import { readOneTermsSearch, readTermsSearch } from '../features/desk-terms/terms-search.ts'
import { type DeskScreen, pageOf } from './screen.ts'

/** Every screen behind the sign-in. The navigation has this order: daily work first, then settings. */
export const screens = {
  deposits: {
    path: '/deposits/{-$depositId}',
    title: depositsOutline.title,
    right: 'money.read',
    list: depositsList,
    menu: { group: 'Work', icon: IconCashBanknote, key: 'd' },
    page: pageOf(() => import('../features/desk-deposits/deposits-page.tsx'), 'DepositsPage', {
      mayDecide: 'money.decide',
    }),
  },
  withdrawals: {
    path: '/withdrawals/{-$withdrawalId}',
    title: 'Withdrawals',
    right: 'money.read',
    list: withdrawalsList,
    menu: { group: 'Work', icon: IconBuildingBank, key: 'w' },
    page: pageOf(() => import('../features/desk-withdrawals/withdrawals-page.tsx'), 'WithdrawalsPage', {
      mayDecide: 'money.decide',
    }),
  },
  tickets: {
    path: '/tickets/{-$ticketId}',
    title: 'Tickets',
    right: 'members.read',
    list: ticketsList,
    menu: { group: 'Work', icon: IconTicket, key: 'k' },
    page: pageOf(() => import('./tickets-page.tsx'), 'TicketsPage'),
  },
  requests: {
    path: '/requests/{-$requestId}',
    title: 'Requests',
    right: 'members.read',
    list: requestsList,
    menu: { group: 'Work', icon: IconClipboardList, key: 'q' },
    page: pageOf(() => import('./requests-page.tsx'), 'RequestsPage'),
  },
  reconciliation: {
    path: '/reconciliation/{-$day}',
    title: 'Reconciliation',
    right: 'money.read',
    list: daysList,
    menu: { group: 'Work', icon: IconScale, key: 'r' },
    page: pageOf(() => import('../features/desk-reconciliation/reconciliation-page.tsx'), 'ReconciliationPage', {
      mayDecide: 'money.decide',
    }),
  },
  payments: {
    path: '/payments/{-$part}',
    title: 'Payments',
    right: 'money.read',
    menu: { group: 'Work', icon: IconReceipt, key: 'n' },
    page: pageOf(() => import('../features/desk-payments/payments-page.tsx'), 'PaymentsPage', {
      mayDecide: 'money.decide',
    }),
  },
  documents: {
    path: '/documents/{-$documentId}',
    title: 'Documents',
    right: 'members.read',
    list: documentsList,
    menu: { group: 'Work', icon: IconId, key: 'i' },
    page: pageOf(() => import('./documents-page.tsx'), 'DocumentsPage'),
  },
  members: {
    path: '/members/{-$memberId}',
    title: 'Members',
    right: 'members.read',
    list: membersList,
    menu: { group: 'Work', icon: IconUsers, key: 'm' },
    page: pageOf(() => import('./members-page.tsx'), 'MembersPage'),
  },
  memberKycDocuments: {
    path: '/members/$memberId/documents',
    title: 'Member documents',
    right: 'members.read',
    page: pageOf(() => import('./documents-page.tsx'), 'MemberKycDocumentsPage'),
  },
  accounts: {
    path: '/trading-accounts',
    title: 'Accounts',
    right: 'members.read',
    list: accountsList,
    menu: { group: 'Work', icon: IconWallet, key: 'l' },
    page: pageOf(() => import('./accounts-page.tsx'), 'AccountListPage'),
  },
  accountDifferences: {
    path: '/accounts',
    title: 'Account discrepancies',
    right: 'members.read',
    list: differencesList,
    menu: { group: 'Work', icon: IconArrowsDiff, key: 'c' },
    page: pageOf(() => import('./accounts-page.tsx'), 'AccountDifferencesPage'),
  },
  tradingAccount: {
    path: '/trading-accounts/$accountId',
    title: 'Trading account',
    right: 'members.read',
    page: pageOf(() => import('./accounts-page.tsx'), 'TradingAccountPage'),
  },
  openings: {
    path: '/openings',
    title: 'Account applications',
    right: 'members.read',
    list: openingsList,
    menu: { group: 'Work', icon: IconUserPlus, key: 'o' },
    page: pageOf(() => import('../features/desk-openings/openings-page.tsx'), 'OpeningsPage', {
      mayDecide: 'money.decide',
    }),
  },
  mails: {
    path: '/mails',
    title: 'Undelivered emails',
    right: 'members.read',
    list: mailsList,
    menu: { group: 'Work', icon: IconMailX, key: 'e', label: 'Emails' },
    page: pageOf(() => import('../features/desk-mails/mails-page.tsx'), 'MailsPage', { mayHelp: 'members.help' }),
  },
  audit: {
    path: '/audit',
    title: 'Audit log',
    right: 'audit.read',
    list: auditList,
    menu: { group: 'Work', icon: IconHistory, key: 'a' },
    page: pageOf(() => import('../features/desk-audit/audit-page.tsx'), 'AuditPage'),
  },
  setup: {
    path: '/setup',
    title: 'Setup',
    right: 'workspace.manage',
    menu: { group: 'Brokerage', icon: IconListCheck, key: 'h' },
    page: pageOf(() => import('../features/desk-setup/setup-page.tsx'), 'SetupPage'),
  },
  termsList: {
    path: '/terms',
    title: 'Terms',
    right: 'members.read',
    readSearch: readTermsSearch,
    menu: { group: 'Brokerage', icon: IconContract, key: 't' },
    page: pageOf(() => import('./terms-page.tsx'), 'TermsListPage'),
  },
  newTerms: {
    path: '/terms/new',
    title: 'Terms',
    right: 'terms.manage',
    page: pageOf(() => import('./terms-page.tsx'), 'NewTermsPage'),
  },
  terms: {
    path: '/terms/$termsId/{-$part}',
    title: 'Terms',
    right: 'members.read',
    readSearch: readOneTermsSearch,
    page: pageOf(() => import('./terms-page.tsx'), 'TermsPage'),
  },
  requestTypes: {
    path: '/request-types',
    title: 'Request types',
    right: 'members.read',
    menu: { group: 'Brokerage', icon: IconListDetails, key: 'x' },
    page: pageOf(() => import('./requests-page.tsx'), 'RequestTypesPage'),
  },
  forms: {
    path: '/forms',
    title: 'Forms',
    right: 'members.read',
    list: formsList,
    menu: { group: 'Brokerage', icon: IconForms, key: 'u' },
    page: pageOf(() => import('./forms-page.tsx'), 'FormsPage'),
  },
  form: {
    path: '/forms/$formId/{-$part}',
    title: 'Form',
    right: 'members.read',
    page: pageOf(() => import('./forms-page.tsx'), 'FormPage'),
  },
  documentCategories: {
    path: '/document-categories',
    title: 'Document categories',
    right: 'workspace.manage',
    menu: { group: 'Brokerage', icon: IconFileCheck, key: 'b' },
    page: pageOf(() => import('./documents-page.tsx'), 'DocumentCategoriesPage'),
  },
  platforms: {
    path: '/platforms/{-$platformId}/{-$part}',
    title: 'Platforms',
    right: 'workspace.manage',
    menu: { group: 'Brokerage', icon: IconServer2, key: 'p' },
    page: pageOf(() => import('../features/desk-platforms/platforms-page.tsx'), 'PlatformsPage'),
  },
  providers: {
    path: '/providers/{-$providerId}/{-$part}',
    title: 'Payment providers',
    right: 'workspace.manage',
    menu: { group: 'Brokerage', icon: IconCreditCard, key: 'y' },
    page: pageOf(() => import('../features/desk-providers/providers-page.tsx'), 'ProvidersPage'),
  },
  settings: {
    path: '/settings/{-$section}',
    title: 'Settings',
    right: 'workspace.manage',
    menu: { group: 'Brokerage', icon: IconSettings, key: 's' },
    page: pageOf(() => import('../features/desk-settings/settings-page.tsx'), 'SettingsPage'),
  },
  staff: {
    path: '/staff',
    title: 'Staff',
    right: 'staff.manage',
    menu: { group: 'Brokerage', icon: IconUsersGroup, key: 'f' },
    page: pageOf(() => import('../features/desk-staff/staff-page.tsx'), 'StaffPage'),
  },
  account: {
    path: '/account',
    title: 'Your account',
    page: pageOf(() => import('./account-page.tsx'), 'AccountPage'),
  },
  security: {
    path: '/security',
    title: 'Your security',
    page: pageOf(() => import('./security-page.tsx'), 'SecurityPage'),
  },
  unauthorized: {
    path: '/unauthorized',
    title: 'No access',
    page: pageOf(() => import('./unauthorized-page.tsx'), 'UnauthorizedPage'),
  },
} satisfies Record<string, DeskScreen>
