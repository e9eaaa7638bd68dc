import type { Page } from 'playwright'
import { coinScreens } from '../screens/coins.ts'
import { deskDepositScreens } from '../screens/desk-deposits.ts'
import { deskListScreens } from '../screens/desk-lists.ts'
import { deskMemberScreens } from '../screens/desk-members.ts'
import { deskPages } from '../screens/desk-pages.ts'
import { deskPaymentScreens } from '../screens/desk-payments.ts'
import { deskPlatformScreens } from '../screens/desk-platforms.ts'
import { deskProviderScreens } from '../screens/desk-providers.ts'
import { deskRequestScreens } from '../screens/desk-requests.ts'
import { deskTermsScreens } from '../screens/desk-terms.ts'
import { deskTicketScreens } from '../screens/desk-tickets.ts'
import { documentScreens } from '../screens/documents.ts'
import { listScreens } from '../screens/lists.ts'
import { accountScreens } from '../screens/portal-accounts.ts'
import { bankingScreens } from '../screens/portal-banking.ts'
import { dashboardScreens } from '../screens/portal-dashboard.ts'
import { entranceScreens } from '../screens/portal-entrance.ts'
import { fundsScreens } from '../screens/portal-funds.ts'
import { memberScreens } from '../screens/portal-member.ts'
import { openingScreens } from '../screens/portal-openings.ts'
import { requestScreens } from '../screens/portal-requests.ts'
import { shellScreens } from '../screens/portal-shell.ts'
import { supportScreens } from '../screens/portal-support.ts'
import type { Screen } from '../screens/screen.ts'
import { secondFactorScreens } from '../screens/second-factors.ts'
import { withdrawalScreens } from '../screens/withdrawals.ts'
import { leaveFreely } from './prompts.ts'

const portalScreens = [
  ...memberScreens,
  ...entranceScreens,
  ...shellScreens,
  ...supportScreens,
  ...requestScreens,
  ...documentScreens,
  ...accountScreens,
  ...fundsScreens,
  ...coinScreens,
  ...dashboardScreens,
  ...openingScreens,
]
const deskScreens = [
  ...deskListScreens,
  ...deskDepositScreens,
  ...deskMemberScreens,
  ...deskTermsScreens,
  ...deskTicketScreens,
  ...deskRequestScreens,
  ...deskPlatformScreens,
  ...deskProviderScreens,
  ...deskPaymentScreens,
  ...deskPages,
]

/** Every screen in every state, for the pictures and the accessibility check. */
export const screens: Screen[] = [
  ...portalScreens,
  ...listScreens,
  ...bankingScreens,
  ...deskScreens,
  ...secondFactorScreens,
  ...withdrawalScreens,
]

/** Opens screens one after another in the same tab; removes the routes of the previous one first. */
export async function openScreen(page: Page, screen: Screen): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  leaveFreely(page)
  await screen.open(page)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}
