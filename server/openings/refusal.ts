import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { GatewayFailure, Reason } from '../trading-platforms/contract.ts'

const errorsOf: Partial<Record<Reason, FieldErrors>> = {
  weak_password: { main_password: [openingTexts.openingPasswordRefused] },
  // A group that does not exist, or that the manager login cannot read.
  not_permitted: { group: [openingTexts.openingGroupRefused] },
  not_found: { group: [openingTexts.openingGroupRefused] },
  // Platform, group and texts were validated, so the leverage is the remaining cause.
  invalid_input: { leverage: [openingTexts.openingLeverageRefused] },
  logins_exhausted: { trading_platform: [openingTexts.openingNoLogins] },
}

/** The platform's refusal, at the field the member can change. */
export function fieldsOf({ reason }: Pick<GatewayFailure, 'reason'>): FieldErrors {
  return errorsOf[reason] ?? { trading_platform: [openingTexts.openingRefused] }
}
