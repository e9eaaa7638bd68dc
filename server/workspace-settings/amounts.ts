import { isMore } from '@atrium/contract/money/money.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { SectionValues } from '@atrium/contract/workspace-settings/desk-calls.ts'
import { refuseFields } from '../foundation/errors.ts'

export type Amounts = Partial<SectionValues<'withdrawals'> & SectionValues<'deposits'>>

const thresholds = [
  'withdrawal_four_eyes_above',
  'deposit_second_approval_above',
  'deposit_needs_identity_above',
] as const

/** Refuses amounts that contradict each other. Stored ones are read regardless, so that a stricter rule locks nobody out. */
export function checkAmounts(values: Amounts): void {
  for (const field of thresholds) {
    const currencies = values[field]?.map(({ currency }) => currency) ?? []
    if (new Set(currencies).size !== currencies.length) refuseFields({ [field]: [deskTexts.listTwice] })
  }
  const isReversed = values.withdrawal_rules?.some(
    ({ minimum, maximum }) => maximum !== null && isMore(minimum, maximum),
  )
  if (isReversed) refuseFields({ withdrawal_rules: [deskTexts.termsReversed] })
}
