import { depositAmountError, depositInput } from '@atrium/contract/funding.ts'
import { texts } from '@atrium/contract/texts.ts'
import { errorLines } from '../../api/error-lines.ts'

/** The deposit form as it stands, in the words of the form. */
export type DepositDraft = {
  accountId: string | null
  amount: string
  comment: string
  /** One of the member's own bank accounts, `other` for one that is typed, null while nothing is chosen. */
  originChoice: string | null
  origin: string
  destinationId: string | null
  fileId: string | null
}

export const emptyDraft: Omit<DepositDraft, 'accountId'> = {
  amount: '',
  comment: '',
  originChoice: null,
  origin: '',
  destinationId: null,
  fileId: null,
}

export const otherOrigin = 'other'

/** Fields in the order of the page, so that the first wrong one gets the focus. */
export const depositFields = [
  'account',
  'amount',
  'originChoice',
  'origin',
  'destination',
  'comment',
  'receipt',
] as const
export type DepositField = (typeof depositFields)[number]
export type DraftErrors = Partial<Record<DepositField, string>>

export function toBody(draft: DepositDraft) {
  const isTyped = draft.originChoice === otherOrigin
  return {
    trading_account: draft.accountId ?? '',
    amount: draft.amount,
    comment: draft.comment,
    ...(isTyped ? { origin: draft.origin.trim() } : { origin_id: draft.originChoice ?? '' }),
    destination_id: draft.destinationId ?? '',
    files: draft.fileId ? [draft.fileId] : [],
    token_key: 'transaction_deposit' as const,
    payment_method: 'manual',
    status: 'pending',
    source: 'client',
    type: 'deposit',
  }
}

const fieldOf: Record<string, DepositField> = {
  trading_account: 'account',
  amount: 'amount',
  comment: 'comment',
  destination_id: 'destination',
  files: 'receipt',
}

function fieldFor(name: string, draft: DepositDraft): DepositField | null {
  if (name === 'origin' || name === 'origin_id') return draft.originChoice === otherOrigin ? 'origin' : 'originChoice'
  return fieldOf[name.split('.')[0] ?? ''] ?? null
}

/** Every gap with its sentence, by the same rules as the server's door. */
export function checkDraft(draft: DepositDraft, currency: string | null): DraftErrors {
  const errors: DraftErrors = {}
  const amountError = depositAmountError(draft.amount, currency ?? 'USD')
  if (amountError) errors.amount = amountError
  const parsed = depositInput.safeParse({ ...toBody(draft), nonce_token: 'not yet asked for' })
  for (const issue of parsed.error?.issues ?? []) {
    const field = fieldFor(issue.path.join('.'), draft)
    if (field) errors[field] ??= issue.message
  }
  return errors
}

/** The server's messages on our fields; what belongs to none of them is returned apart, and never swallowed. */
export function placeErrors(
  fieldErrors: Record<string, string[]>,
  draft: DepositDraft,
): { errors: DraftErrors; others: string[] } {
  const errors: DraftErrors = {}
  const others: string[] = []
  for (const [name, messages] of Object.entries(fieldErrors)) {
    const field = fieldFor(name, draft)
    if (field) errors[field] ??= messages[0] ?? texts.fieldsMissing
    else others.push(...errorLines({ [name]: messages }, (text) => text))
  }
  return { errors, others }
}
