import type { FastifyInstance } from 'fastify'
import { openAccountCalls } from './accounts/calls.ts'
import { openDeskAuditCalls } from './audit-log/calls.ts'
import { openBankingCalls, openDeskBankingCalls } from './banking/calls.ts'
import { openDeskAccountCalls } from './comparisons/calls.ts'
import { openDashboardCalls } from './dashboard/calls.ts'
import { openDepositCalls, openDeskDepositCalls } from './deposits/calls.ts'
import { openDocumentCalls } from './documents/calls.ts'
import { openDeskCategoryCalls, openDeskDocumentCalls } from './documents/desk-calls.ts'
import { openFileCalls } from './files/calls.ts'
import { openFormCalls } from './forms/calls.ts'
import { openDeskFormCalls } from './forms/desk-calls.ts'
import type { Ground } from './foundation/ground.ts'
import { openDeskFundingCalls, openFundingCalls } from './funding/calls.ts'
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
import { openOpeningCalls } from './openings/calls.ts'
import { openDeskOpeningCalls } from './openings/desk-calls.ts'
import { openPaymentCalls } from './payments/calls.ts'
import { openDeskProviderCalls } from './payments/desk-calls.ts'
import { openDeskPlatformCalls } from './platforms/calls.ts'
import { openReconciliationCalls } from './reconciliation/calls.ts'
import { openRequestCalls } from './requests/calls.ts'
import { openDeskRequestCalls } from './requests/desk-calls.ts'
import { openSearchCalls } from './search/calls.ts'
import { openDeskSessionCalls, openOwnSessionCalls, openPasswordCalls, openSessionCalls } from './sessions/calls.ts'
import { openFactorResetCalls, openSecurityCalls } from './sessions/security-calls.ts'
import { checkGates } from './sessions/stream-gates.ts'
import { openStaffAccountCalls, openStaffCalls, openStaffPasswordCalls } from './staff/calls.ts'
import { openStatementCalls } from './statements/calls.ts'
import { openDeskTermsCalls, openTermsCalls } from './terms/calls.ts'
import { openTicketCalls } from './tickets/calls.ts'
import { openDeskTicketCalls } from './tickets/desk-calls.ts'
import { openTradeCalls } from './trades/calls.ts'
import { openDeskTradeCalls } from './trades/desk-calls.ts'
import { openDeskWithdrawalCalls, openWithdrawalCalls } from './withdrawals/calls.ts'
import { openDeskWorkspaceCalls, openWorkspaceCalls } from './workspace-settings/calls.ts'

/** Every REST call, domain by domain: the list of doors. */
export function openCalls(app: FastifyInstance, ground: Ground): void {
  openWorkspaceCalls(app, ground)
  openSessionCalls(app, ground)
  openPasswordCalls(app, ground)
  openOwnSessionCalls(app, ground)
  openMemberCalls(app, ground)
  openTermsCalls(app, ground)
  openSecurityCalls(app, ground)
  openFileCalls(app, ground)
  openNoticeCalls(app, ground, { checkGates })
  openDocumentCalls(app, ground)
  openOpeningCalls(app, ground)
  openAccountCalls(app, ground)
  openFundingCalls(app, ground)
  openDepositCalls(app, ground)
  openWithdrawalCalls(app, ground)
  openBankingCalls(app, ground)
  openPaymentCalls(app, ground)
  openDashboardCalls(app, ground)
  openTradeCalls(app, ground)
  openTicketCalls(app, ground)
  openFormCalls(app, ground)
  openRequestCalls(app, ground)
  openStatementCalls(app, ground)
  openSearchCalls(app, ground)
  openDeskSessionCalls(app, ground)
  openFactorResetCalls(app, ground)
  openDeskFundingCalls(app, ground)
  openDeskDepositCalls(app, ground)
  openDeskBankingCalls(app, ground)
  openDeskWithdrawalCalls(app, ground)
  openReconciliationCalls(app, ground)
  openDeskWorkspaceCalls(app, ground)
  openDeskPlatformCalls(app, ground)
  openDeskProviderCalls(app, ground)
  openStaffCalls(app, ground)
  openStaffAccountCalls(app, ground)
  openStaffPasswordCalls(app, ground)
  openDeskTermsCalls(app, ground)
  openDeskAccountCalls(app, ground)
  openDeskTradeCalls(app, ground)
  openDeskMemberCalls(app, ground)
  openDeskHelpCalls(app, ground)
  openInvitationCalls(app, ground)
  openMemberDetailCalls(app, ground)
  openDeskOpeningCalls(app, ground)
  openDeskTicketCalls(app, ground)
  openDeskFormCalls(app, ground)
  openDeskRequestCalls(app, ground)
  openDeskMailCalls(app, ground)
  openDeskDocumentCalls(app, ground)
  openDeskCategoryCalls(app, ground)
  openDeskVendorCalls(app, ground)
  openDeskAuditCalls(app, ground)
}
