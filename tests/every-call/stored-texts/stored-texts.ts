import type pg from 'pg'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { storedCompanyBankTexts } from './of-banking.ts'
import { storedKycDocumentTexts } from './of-documents.ts'
import { storedMemberTexts } from './of-members.ts'
import { storedPlatformTexts, storedProviderTexts } from './of-platforms.ts'
import { storedRequestTexts } from './of-requests.ts'
import { storedDeskTexts } from './of-staff.ts'
import { storedTicketTexts } from './of-tickets.ts'
import { storedWorkspaceTexts } from './of-workspace.ts'
import type { StoredText } from './stored-text.ts'

/** Every text that a call stores. */
export function storedTexts(setup: TradingFixture, owner: pg.Client): StoredText[] {
  return [
    ...storedMemberTexts(setup, owner),
    ...storedDeskTexts(setup, owner),
    ...storedWorkspaceTexts(setup, owner),
    ...storedPlatformTexts(setup, owner),
    ...storedCompanyBankTexts(setup, owner),
    ...storedProviderTexts(setup, owner),
    ...storedTicketTexts(setup, owner),
    ...storedKycDocumentTexts(setup, owner),
    ...storedRequestTexts(setup, owner),
  ]
}
