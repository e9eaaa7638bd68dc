import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { GatewayFailure, Reason } from '../trading-platforms/contract.ts'

const wordsOf: Partial<Record<Reason, FieldErrors>> = {
  weak_password: { main_password: [openingTexts.openingPasswordRefused] },
  // A group that is not there, and one that the portal's manager may not see.
  not_permitted: { group: [openingTexts.openingGroupRefused] },
  not_found: { group: [openingTexts.openingGroupRefused] },
  // Platform, group and texts were checked before, so what is left of the input is the leverage.
  invalid_input: { leverage: [openingTexts.openingLeverageRefused] },
  logins_exhausted: { trading_platform: [openingTexts.openingNoLogins] },
}

/** The platform's no, beside the field that the member can change. */
export function fieldsOf({ reason }: Pick<GatewayFailure, 'reason'>): FieldErrors {
  return wordsOf[reason] ?? { trading_platform: [openingTexts.openingRefused] }
}
