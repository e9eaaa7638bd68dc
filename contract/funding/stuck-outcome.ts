/** What staff record about an operation whose account was deleted on the platform before its outcome was known. */

import { z } from 'zod'
import { limits } from '../limits.ts'
import { decisionKey } from '../money/decision-key.ts'
import { texts } from '../texts.ts'

export const stuckOutcomes = ['executed', 'not_executed'] as const
export type StuckOutcome = (typeof stuckOutcomes)[number]

export const stuckOutcomeTexts = {
  notGone: 'The platform still knows this account, or the outcome is already recorded. Check again instead.',
  operation: 'Enter the number of the operation on the platform, in digits.',
  operationKnown: 'This operation already belongs to another transaction.',
} as const

const operationCharsMax = 20

/** Digits, as platforms number their operations. */
export const isOperationNumber = (text: string): boolean => /^[1-9]\d{0,19}$/.test(text)

export const stuckOutcomeInput = z.object({
  id: z.uuid(),
  ...decisionKey,
  outcome: z.enum(stuckOutcomes),
  /** The number of the operation on the platform, for one that was executed. */
  operation: z.string().trim().max(operationCharsMax).optional(),
  /** Where it was found out, for the audit log. */
  reason: z.string({ error: texts.fieldsMissing }).trim().min(1, texts.fieldsMissing).max(limits.commentCharsMax),
})

/** Fields of a balance operation at the desk. The previous version does not send them. */
export const stuckOutcomeFields = {
  /** Stuck because the account was deleted on the platform, so that its history cannot be read. */
  account_gone: z.boolean().default(false),
  /** The newest record, which a second person confirms by the same words. */
  outcome_said: z
    .object({
      ...{ outcome: z.enum(stuckOutcomes), operation: z.string().nullable(), reason: z.string() },
      ...{ by: z.string(), at: z.int(), is_you: z.boolean() },
    })
    .nullable()
    .default(null),
}
export type StuckOutcomeSaid = z.output<z.ZodObject<typeof stuckOutcomeFields>>['outcome_said']
