import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { openDeskAccountCalls } from './account-sync/calls.ts'
import { accountSyncErasure } from './account-sync/erasure.ts'
import { accountSyncJobs } from './account-sync/jobs.ts'
import { accountSyncMetrics } from './account-sync/metrics.ts'
import { openAccountCalls } from './accounts/calls.ts'
import { accountsErasure } from './accounts/erasure.ts'
import { describeAccounts } from './accounts/graph.ts'
import { accountJobs } from './accounts/jobs.ts'
import { accountSource } from './accounts/search.ts'
import { openDeskAuditCalls } from './audit-log/calls.ts'
import { openBankingCalls, openDeskBankingCalls } from './banking/calls.ts'
import { bankingErasure } from './banking/erasure.ts'
import { describeBanking } from './banking/graph.ts'
import { openDashboardCalls } from './dashboard/calls.ts'
import { openDepositCalls, openDeskDepositCalls } from './deposits/calls.ts'
import { openDocumentCalls } from './documents/calls.ts'
import { openDeskCategoryCalls, openDeskDocumentCalls } from './documents/desk-calls.ts'
import { documentsErasure } from './documents/erasure.ts'
import { describeDocuments } from './documents/graph.ts'
import { documentJobs } from './documents/jobs.ts'
import { describeDownloads } from './downloads/graph.ts'
import { openFileCalls } from './files/calls.ts'
import { filesErasure } from './files/erasure.ts'
import { fileJobs } from './files/jobs.ts'
import { filesMetrics } from './files/metrics.ts'
import { openFormCalls } from './forms/calls.ts'
import { openDeskFormCalls } from './forms/desk-calls.ts'
import { formsErasure } from './forms/erasure.ts'
import { describeForms } from './forms/graph.ts'
import { formJobs } from './forms/jobs.ts'
import type { Context } from './foundation/context.ts'
import { type Erasure, gatherErasures } from './foundation/erasure.ts'
import { openDeskFundingCalls, openFundingCalls } from './funding/calls.ts'
import { fundingErasure } from './funding/crediting/erasure.ts'
import { fundingMetrics } from './funding/crediting/metrics.ts'
import { describeFunding } from './funding/graph.ts'
import { fundingJobs, startSweepingIntents } from './funding/jobs.ts'
import { transactionSource } from './funding/search.ts'
import { openDeskVendorCalls } from './identity-vendors/desk-calls.ts'
import { openMemberCalls } from './members/calls.ts'
import {
  openDeskHelpCalls,
  openDeskMemberCalls,
  openInvitationCalls,
  openMemberDetailCalls,
} from './members/desk-calls.ts'
import { describeMembers } from './members/graph.ts'
import { membersErasure } from './members/personal-data/own-erasure.ts'
import type { DomainMetrics } from './metrics/domain-metrics.ts'
import { openNotificationCalls } from './notifications/calls.ts'
import { openDeskMailCalls } from './notifications/desk-calls.ts'
import { notificationsErasure } from './notifications/erasure.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { notificationsMetrics } from './notifications/metrics.ts'
import { describeProblem } from './observability/log.ts'
import { openOpeningCalls } from './openings/calls.ts'
import { openDeskOpeningCalls } from './openings/desk-calls.ts'
import { openingsErasure } from './openings/erasure.ts'
import { openingJobs, startSweepingOpenings } from './openings/jobs.ts'
import { openPaymentCalls } from './payments/calls.ts'
import { openDeskProviderCalls } from './payments/desk-calls.ts'
import { paymentsErasure } from './payments/exceptions/erasure.ts'
import { paymentsMetrics } from './payments/exceptions/metrics.ts'
import { describePaymentProviders } from './payments/graph.ts'
import { paymentJobs, startReconcilingOrders } from './payments/jobs.ts'
import { openDeskPlatformCalls } from './platforms/calls.ts'
import { type JobHandlers, type Queue, scheduledRounds } from './queue/jobs.ts'
import { beginRound } from './queue/sweeping.ts'
import { openReconciliationCalls } from './reconciliation/calls.ts'
import { reconciliationErasure } from './reconciliation/erasure.ts'
import { reconciliationJobs, startReconciling } from './reconciliation/jobs.ts'
import { reconciliationMetrics } from './reconciliation/metrics.ts'
import { openRequestCalls } from './requests/calls.ts'
import { openDeskRequestCalls } from './requests/desk-calls.ts'
import { requestsErasure } from './requests/erasure.ts'
import { describeRequests } from './requests/graph.ts'
import { requestSource } from './requests/search.ts'
import { openSearchCalls } from './search/calls.ts'
import type { SearchSource } from './search/source.ts'
import { openDeskSessionCalls, openOwnSessionCalls, openPasswordCalls, openSessionCalls } from './sessions/calls.ts'
import { sessionsErasure } from './sessions/erasure.ts'
import { openFactorResetCalls, openSecurityCalls } from './sessions/factors/security-calls.ts'
import { sessionJobs, startEndingSessions } from './sessions/jobs.ts'
import { sessionsMetrics } from './sessions/metrics.ts'
import { checkStreamAccess } from './sessions/stream-access.ts'
import { openStaffAccountCalls, openStaffCalls, openStaffPasswordCalls } from './staff/calls.ts'
import { staffErasure } from './staff/erasure.ts'
import { openStatementCalls } from './statements/calls.ts'
import { openDeskTermsCalls, openTermsCalls } from './terms/calls.ts'
import { termsErasure } from './terms/erasure.ts'
import { openTicketCalls } from './tickets/calls.ts'
import { openDeskTicketCalls } from './tickets/desk-calls.ts'
import { ticketsErasure } from './tickets/erasure.ts'
import { describeTickets } from './tickets/graph.ts'
import { ticketSource } from './tickets/search.ts'
import { openTradeCalls } from './trades/calls.ts'
import { openDeskTradeCalls } from './trades/desk-calls.ts'
import { tradesErasure } from './trades/erasure.ts'
import { describeTrades } from './trades/graph.ts'
import { startRefreshingTrades, tradeJobs } from './trades/jobs.ts'
import { openDeskWithdrawalCalls, openWithdrawalCalls } from './withdrawals/calls.ts'
import { withdrawalsErasure } from './withdrawals/erasure.ts'
import { withdrawalJobs } from './withdrawals/jobs.ts'
import { openDeskWorkspaceCalls, openWorkspaceCalls } from './workspace-settings/calls.ts'

type OpenRoutes = (app: FastifyInstance, context: Context, calls: readonly Call[]) => void

/** What a domain contributes to the application: routes, jobs, sweeps and the rest. */
type Domain = {
  routes?: readonly OpenRoutes[]
  deskRoutes?: readonly OpenRoutes[]
  jobs?: (context: Context) => JobHandlers
  /** Its GraphQL types and fields. */
  graph?: () => void
  /** What the member's search finds in it. */
  search?: SearchSource
  /** Its metrics for operators. */
  metrics?: DomainMetrics
  /** The personal data it stores about a member, and how the erasure ends it. */
  erasure?: Erasure
  /** Each starts a sweep and returns its stop function. */
  sweeps?: readonly ((context: Context) => () => void)[]
}

/** Every domain, once. The dead code check reports a domain that is not listed. */
const domains: Record<string, Domain> = {
  'workspace-settings': { routes: [openWorkspaceCalls], deskRoutes: [openDeskWorkspaceCalls] },
  sessions: {
    metrics: sessionsMetrics,
    erasure: sessionsErasure,
    routes: [openSessionCalls, openPasswordCalls, openOwnSessionCalls, openSecurityCalls],
    deskRoutes: [openDeskSessionCalls, openFactorResetCalls],
    jobs: sessionJobs,
    sweeps: [startEndingSessions],
  },
  members: {
    graph: describeMembers,
    erasure: membersErasure,
    routes: [openMemberCalls],
    deskRoutes: [
      (app, context) => openDeskMemberCalls(app, context, personalData),
      openDeskHelpCalls,
      openInvitationCalls,
      openMemberDetailCalls,
    ],
  },
  terms: { erasure: termsErasure, routes: [openTermsCalls], deskRoutes: [openDeskTermsCalls] },
  files: {
    metrics: filesMetrics,
    erasure: filesErasure,
    routes: [openFileCalls],
    jobs: fileJobs,
  },
  notifications: {
    metrics: notificationsMetrics,
    erasure: notificationsErasure,
    routes: [(app, context) => openNotificationCalls(app, context, { checkStreamAccess })],
    deskRoutes: [openDeskMailCalls],
    jobs: notificationJobs,
  },
  downloads: { graph: describeDownloads },
  documents: {
    graph: describeDocuments,
    erasure: documentsErasure,
    routes: [openDocumentCalls],
    deskRoutes: [openDeskDocumentCalls, openDeskCategoryCalls],
    jobs: documentJobs,
  },
  openings: {
    erasure: openingsErasure,
    routes: [openOpeningCalls],
    deskRoutes: [openDeskOpeningCalls],
    jobs: openingJobs,
    sweeps: [startSweepingOpenings],
  },
  accounts: {
    graph: describeAccounts,
    search: accountSource,
    erasure: accountsErasure,
    routes: [openAccountCalls],
    jobs: accountJobs,
  },
  funding: {
    graph: describeFunding,
    search: transactionSource,
    metrics: fundingMetrics,
    erasure: fundingErasure,
    routes: [openFundingCalls],
    deskRoutes: [openDeskFundingCalls],
    jobs: fundingJobs,
    sweeps: [startSweepingIntents],
  },
  deposits: { routes: [openDepositCalls], deskRoutes: [openDeskDepositCalls] },
  withdrawals: {
    erasure: withdrawalsErasure,
    routes: [openWithdrawalCalls],
    deskRoutes: [openDeskWithdrawalCalls],
    jobs: withdrawalJobs,
  },
  banking: {
    graph: describeBanking,
    erasure: bankingErasure,
    routes: [openBankingCalls],
    deskRoutes: [openDeskBankingCalls],
  },
  payments: {
    graph: describePaymentProviders,
    metrics: paymentsMetrics,
    erasure: paymentsErasure,
    routes: [openPaymentCalls],
    deskRoutes: [openDeskProviderCalls],
    jobs: paymentJobs,
    sweeps: [startReconcilingOrders],
  },
  dashboard: { routes: [openDashboardCalls] },
  trades: {
    graph: describeTrades,
    erasure: tradesErasure,
    routes: [openTradeCalls],
    deskRoutes: [openDeskTradeCalls],
    jobs: tradeJobs,
    sweeps: [startRefreshingTrades],
  },
  tickets: {
    graph: describeTickets,
    search: ticketSource,
    erasure: ticketsErasure,
    routes: [openTicketCalls],
    deskRoutes: [openDeskTicketCalls],
  },
  forms: {
    graph: describeForms,
    erasure: formsErasure,
    routes: [openFormCalls],
    deskRoutes: [openDeskFormCalls],
    jobs: formJobs,
  },
  requests: {
    graph: describeRequests,
    search: requestSource,
    erasure: requestsErasure,
    routes: [openRequestCalls],
    deskRoutes: [openDeskRequestCalls],
  },
  statements: { routes: [openStatementCalls] },
  search: { routes: [(app, context) => openSearchCalls(app, context, searchSources)] },
  reconciliation: {
    metrics: reconciliationMetrics,
    erasure: reconciliationErasure,
    deskRoutes: [openReconciliationCalls],
    jobs: reconciliationJobs,
    sweeps: [startReconciling],
  },
  platforms: { deskRoutes: [openDeskPlatformCalls] },
  staff: { erasure: staffErasure, deskRoutes: [openStaffCalls, openStaffAccountCalls, openStaffPasswordCalls] },
  'account-sync': {
    metrics: accountSyncMetrics,
    erasure: accountSyncErasure,
    deskRoutes: [openDeskAccountCalls],
    jobs: accountSyncJobs,
  },
  'identity-vendors': { deskRoutes: [openDeskVendorCalls] },
  'audit-log': { deskRoutes: [openDeskAuditCalls] },
}

const each = Object.values(domains)

/** All personal data of a member, in the order of erasure. */
export const personalData = gatherErasures(each.flatMap(({ erasure = [] }) => erasure))

/** In the order of the result groups. */
export const searchSources = each.flatMap(({ search = [] }) => search)

export const domainMetrics = each.flatMap(({ metrics = [] }) => metrics)

/** Adds every domain's types and fields to the GraphQL schema. */
export function describeDomains(): void {
  for (const { graph } of each) graph?.()
}

/** Opens every REST call. `calls` collects them. */
export function openCalls(app: FastifyInstance, context: Context, calls: readonly Call[]): void {
  for (const { routes = [], deskRoutes = [] } of each)
    for (const openRoutes of [...routes, ...deskRoutes]) openRoutes(app, context, calls)
}

/** The job handlers of all queues. */
export const allJobs = (context: Context): JobHandlers =>
  Object.assign(
    { 'rounds.begin': ({ id }) => beginRound(context, id as Queue) } satisfies JobHandlers,
    ...each.map(({ jobs }) => jobs?.(context) ?? {}),
  )

/** Starts all sweeps and returns their stop functions. Scheduled rounds (queue/jobs.ts) also run once at the start. */
export function startSweeps(context: Context): (() => void)[] {
  for (const queue of scheduledRounds)
    beginRound(context, queue).catch((problem) => context.log.error({ err: describeProblem(problem) }, 'sweep failed'))
  return each.flatMap(({ sweeps = [] }) => sweeps.map((start) => start(context)))
}
