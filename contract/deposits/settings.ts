import { z } from 'zod'
import { secondApprovalLimit } from '../withdrawals/calls.ts'

export const secondApprovalRules = ['as-withdrawals', 'own', 'off'] as const

/** Deposit settings at the desk, by the names they are stored under. */
export const depositSettings = z.object({
  /** Like withdrawals, by amounts of their own, or never. */
  deposit_second_approval: z.enum(secondApprovalRules),
  deposit_second_approval_above: z.array(secondApprovalLimit).max(50),
  /** Limits the total deposits of a member without an approved identity. */
  deposit_needs_identity: z.boolean(),
  /** Limits of equal value: a deposit in one currency uses up the same share of the others. A missing currency allows no deposit. */
  deposit_needs_identity_above: z.array(secondApprovalLimit).max(50),
})
export type DepositSettings = z.output<typeof depositSettings>

export const defaultDepositSettings: DepositSettings = {
  deposit_second_approval: 'as-withdrawals',
  deposit_second_approval_above: ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, above: '10000' })),
  deposit_needs_identity: true,
  deposit_needs_identity_above: ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, above: '2000' })),
}
