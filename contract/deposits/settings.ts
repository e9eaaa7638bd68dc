import { z } from 'zod'
import { fourEyesLimit } from '../withdrawals/calls.ts'

export const secondApprovalRules = ['as-withdrawals', 'own', 'off'] as const

/** What the desk sets of deposits. The names are those that the settings are stored under. */
export const depositSettings = z.object({
  /** As withdrawals have it, by amounts of their own, or never. */
  deposit_second_approval: z.enum(secondApprovalRules),
  deposit_second_approval_above: z.array(fourEyesLimit).max(50),
  /** Whether a member whose identity is not approved may deposit no more than these totals. */
  deposit_needs_identity: z.boolean(),
  /** Each is worth the same: what was deposited in one currency uses up as large a part of the others. One that is not listed takes nothing. */
  deposit_needs_identity_above: z.array(fourEyesLimit).max(50),
})
export type DepositSettings = z.output<typeof depositSettings>

export const defaultDepositSettings: DepositSettings = {
  deposit_second_approval: 'as-withdrawals',
  deposit_second_approval_above: ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, above: '10000' })),
  deposit_needs_identity: true,
  deposit_needs_identity_above: ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, above: '2000' })),
}
