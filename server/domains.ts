import type { FastifyInstance } from 'fastify'
import { openAccountCalls } from './accounts/calls.ts'
import { accountJobs, startThinningFigures } from './accounts/jobs.ts'
import { openDeskAuditCalls } from './audit-log/calls.ts'
import { openBankingCalls, openDeskBankingCalls } from './banking/calls.ts'
import { openDeskAccountCalls } from './comparisons/calls.ts'
import { comparisonJobs, startComparingPlatforms } from './comparisons/jobs.ts'
import { openDashboardCalls } from './dashboard/calls.ts'
import { openDepositCalls, openDeskDepositCalls } from './deposits/calls.ts'
import { openDocumentCalls } from './documents/calls.ts'
import { openDeskCategoryCalls, openDeskDocumentCalls } from './documents/desk-calls.ts'
import { documentJobs, startWatchingExpiry } from './documents/jobs.ts'
import { openFileCalls } from './files/calls.ts'
import { fileJobs, startSweepingUploads } from './files/jobs.ts'
import { openFormCalls } from './forms/calls.ts'
import { openDeskFormCalls } from './forms/desk-calls.ts'
import { formJobs, startSweepingDrafts } from './forms/jobs.ts'
import type { Ground } from './foundation/ground.ts'
import { openDeskFundingCalls, openFundingCalls } from './funding/calls.ts'
import { fundingJobs, startCheckingLedger, startSweepingIntents } from './funding/jobs.ts'
import { openDeskVendorCalls } from './identity-vendors/desk-calls.ts'
import { openMemberCalls } from './members/calls.ts'
import {
  openDeskHelpCalls,
  openDeskMemberCalls,
  openInvitationCalls,
  openMemberDetailCalls,
} from './members/desk-calls.ts'
import { openNoticeCalls } from './notifications/calls.ts'
import { openDeskMailCalls } from './notifications/desk-calls.ts'
import { notificationJobs, startSweepingMails } from './notifications/jobs.ts'
import { openOpeningCalls } from './openings/calls.ts'
import { openDeskOpeningCalls } from './openings/desk-calls.ts'
import { openingJobs, startSweepingOpenings } from './openings/jobs.ts'
import { openPaymentCalls } from './payments/calls.ts'
import { openDeskProviderCalls } from './payments/desk-calls.ts'
import { paymentJobs, startClearingNotifications, startReconcilingOrders } from './payments/jobs.ts'
import { openDeskPlatformCalls } from './platforms/calls.ts'
import type { JobHandlers } from './queue/jobs.ts'
import { openReconciliationCalls } from './reconciliation/calls.ts'
import { reconciliationJobs, startReconciling } from './reconciliation/jobs.ts'
import { openRequestCalls } from './requests/calls.ts'
import { openDeskRequestCalls } from './requests/desk-calls.ts'
import { openSearchCalls } from './search/calls.ts'
import { openDeskSessionCalls, openOwnSessionCalls, openPasswordCalls, openSessionCalls } from './sessions/calls.ts'
import { sessionJobs, startSweepingSessions } from './sessions/jobs.ts'
import { openFactorResetCalls, openSecurityCalls } from './sessions/security-calls.ts'
import { checkGates } from './sessions/stream-gates.ts'
import { openStaffAccountCalls, openStaffCalls, openStaffPasswordCalls } from './staff/calls.ts'
import { openStatementCalls } from './statements/calls.ts'
import { openDeskTermsCalls, openTermsCalls } from './terms/calls.ts'
import { openTicketCalls } from './tickets/calls.ts'
import { openDeskTicketCalls } from './tickets/desk-calls.ts'
import { openTradeCalls } from './trades/calls.ts'
import { openDeskTradeCalls } from './trades/desk-calls.ts'
import { startRefreshingTrades, tradeJobs } from './trades/jobs.ts'
import { openDeskWithdrawalCalls, openWithdrawalCalls } from './withdrawals/calls.ts'
import { withdrawalJobs } from './withdrawals/jobs.ts'
import { openDeskWorkspaceCalls, openWorkspaceCalls } from './workspace-settings/calls.ts'

type OpenRoutes = (app: FastifyInstance, ground: Ground) => void

/** What a part of the business gives to the whole: calls of members and of the desk, what happens later, what is done again and again. */
type Domain = {
  routes?: readonly OpenRoutes[]
  deskRoutes?: readonly OpenRoutes[]
  jobs?: (ground: Ground) => JobHandlers
  /** Each answers how to stop. */
  sweeps?: readonly ((ground: Ground) => () => void)[]
}

/** Every domain, once. What is not listed is dead code to the check. */
const domains: Record<string, Domain> = {
  'workspace-settings': { routes: [openWorkspaceCalls], deskRoutes: [openDeskWorkspaceCalls] },
  sessions: {
    routes: [openSessionCalls, openPasswordCalls, openOwnSessionCalls, openSecurityCalls],
    deskRoutes: [openDeskSessionCalls, openFactorResetCalls],
    jobs: sessionJobs,
    sweeps: [startSweepingSessions],
  },
  members: {
    routes: [openMemberCalls],
    deskRoutes: [openDeskMemberCalls, openDeskHelpCalls, openInvitationCalls, openMemberDetailCalls],
  },
  terms: { routes: [openTermsCalls], deskRoutes: [openDeskTermsCalls] },
  files: { routes: [openFileCalls], jobs: fileJobs, sweeps: [startSweepingUploads] },
  notifications: {
    routes: [(app, ground) => openNoticeCalls(app, ground, { checkGates })],
    deskRoutes: [openDeskMailCalls],
    jobs: notificationJobs,
    sweeps: [startSweepingMails],
  },
  documents: {
    routes: [openDocumentCalls],
    deskRoutes: [openDeskDocumentCalls, openDeskCategoryCalls],
    jobs: documentJobs,
    sweeps: [startWatchingExpiry],
  },
  openings: {
    routes: [openOpeningCalls],
    deskRoutes: [openDeskOpeningCalls],
    jobs: openingJobs,
    sweeps: [startSweepingOpenings],
  },
  accounts: { routes: [openAccountCalls], jobs: accountJobs, sweeps: [startThinningFigures] },
  funding: {
    routes: [openFundingCalls],
    deskRoutes: [openDeskFundingCalls],
    jobs: fundingJobs,
    sweeps: [startSweepingIntents, startCheckingLedger],
  },
  deposits: { routes: [openDepositCalls], deskRoutes: [openDeskDepositCalls] },
  withdrawals: { routes: [openWithdrawalCalls], deskRoutes: [openDeskWithdrawalCalls], jobs: withdrawalJobs },
  banking: { routes: [openBankingCalls], deskRoutes: [openDeskBankingCalls] },
  payments: {
    routes: [openPaymentCalls],
    deskRoutes: [openDeskProviderCalls],
    jobs: paymentJobs,
    sweeps: [startReconcilingOrders, startClearingNotifications],
  },
  dashboard: { routes: [openDashboardCalls] },
  trades: {
    routes: [openTradeCalls],
    deskRoutes: [openDeskTradeCalls],
    jobs: tradeJobs,
    sweeps: [startRefreshingTrades],
  },
  tickets: { routes: [openTicketCalls], deskRoutes: [openDeskTicketCalls] },
  forms: { routes: [openFormCalls], deskRoutes: [openDeskFormCalls], jobs: formJobs, sweeps: [startSweepingDrafts] },
  requests: { routes: [openRequestCalls], deskRoutes: [openDeskRequestCalls] },
  statements: { routes: [openStatementCalls] },
  search: { routes: [openSearchCalls] },
  reconciliation: { deskRoutes: [openReconciliationCalls], jobs: reconciliationJobs, sweeps: [startReconciling] },
  platforms: { deskRoutes: [openDeskPlatformCalls] },
  staff: { deskRoutes: [openStaffCalls, openStaffAccountCalls, openStaffPasswordCalls] },
  comparisons: { deskRoutes: [openDeskAccountCalls], jobs: comparisonJobs, sweeps: [startComparingPlatforms] },
  'identity-vendors': { deskRoutes: [openDeskVendorCalls] },
  'audit-log': { deskRoutes: [openDeskAuditCalls] },
}

const each = Object.values(domains)

/** Every REST call. */
export function openCalls(app: FastifyInstance, ground: Ground): void {
  for (const { routes = [], deskRoutes = [] } of each)
    for (const openRoutes of [...routes, ...deskRoutes]) openRoutes(app, ground)
}

/** The handlers of every queue. */
export const allJobs = (ground: Ground): JobHandlers =>
  Object.assign({}, ...each.map(({ jobs }) => jobs?.(ground) ?? {}))

/** Answers how to stop each. */
export const startSweeps = (ground: Ground): (() => void)[] =>
  each.flatMap(({ sweeps = [] }) => sweeps.map((start) => start(ground)))
