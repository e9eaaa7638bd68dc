import { texts } from '@atrium/contract/texts.ts'
import { readWithdrawalAmount, withdrawalInput, withdrawalTexts } from '@atrium/contract/withdrawals.ts'
import { errorLines } from '../../api/error-lines.ts'

/** The withdrawal form as it stands. */
export type WithdrawalDraft = {
  amount: string
  comment: string
  /** The kind of destination, as the specification writes it. */
  destination: string | null
  destinationId: string | null
  coin: string | null
  /** It goes back to what was paid with, so no destination of one's own is chosen. */
  isToSource: boolean
  /** It goes out in a coin, which is chosen too. */
  isInCoins: boolean
}

export const emptyWithdrawal: WithdrawalDraft = {
  amount: '',
  comment: '',
  destination: null,
  destinationId: null,
  coin: null,
  isToSource: false,
  isInCoins: false,
}

/** Fields in the order of the page, so that the first wrong one gets the focus. */
export const withdrawalFields = ['account', 'destination', 'destinationId', 'coin', 'amount', 'comment'] as const
export type WithdrawalField = (typeof withdrawalFields)[number]
export type WithdrawalErrors = Partial<Record<WithdrawalField, string>>

/** A changed destination clears what was chosen of the one before; each clears with it what only it has. */
export function withChange(before: WithdrawalDraft, next: Partial<WithdrawalDraft>): WithdrawalDraft {
  const isOther = next.destination !== undefined && next.destination !== before.destination
  const isElsewhere = next.destinationId !== undefined && next.destinationId !== before.destinationId
  return {
    ...before,
    ...(isOther && { destinationId: null, isToSource: false, isInCoins: false }),
    // Another wallet may take other coins.
    ...((isOther || isElsewhere) && { coin: null }),
    ...next,
  }
}

export const withoutDestination = (draft: WithdrawalDraft): WithdrawalDraft =>
  withChange(draft, { destination: null, destinationId: null, coin: null })

export type WithdrawalAccount = { id: string; currency: string; isLive: boolean }

export function toWithdrawalBody(draft: WithdrawalDraft, account: WithdrawalAccount | null) {
  const where = {
    destination: draft.destination ?? undefined,
    destination_id: draft.destinationId ?? undefined,
    ...(draft.coin !== null && { coin: draft.coin }),
  }
  return {
    trading_account: account?.id ?? '',
    amount: draft.amount,
    comment: draft.comment,
    ...(account?.isLive && where),
    token_key: 'transaction_withdrawal' as const,
    payment_method: 'manual',
    status: 'pending',
    source: 'client',
    type: 'withdrawal',
  }
}

const fieldOf: Record<string, WithdrawalField> = {
  trading_account: 'account',
  destination: 'destination',
  destination_id: 'destinationId',
  coin: 'coin',
  amount: 'amount',
  comment: 'comment',
}

/** Every gap with its sentence, by the same rules as the server's door. What is free, only the platform knows. */
export function checkWithdrawal(draft: WithdrawalDraft, account: WithdrawalAccount | null): WithdrawalErrors {
  const errors: WithdrawalErrors = {}
  const amount = readWithdrawalAmount(draft.amount, account?.currency ?? 'USD')
  if ('sentence' in amount) errors.amount = amount.sentence
  const body = { ...toWithdrawalBody(draft, account), nonce_token: 'not yet asked for' }
  for (const issue of withdrawalInput.safeParse(body).error?.issues ?? []) {
    const field = fieldOf[String(issue.path[0])]
    if (field) errors[field] ??= issue.message
  }
  // Until an account is chosen the form shows the destination, as that of a live account does.
  if (account?.isLive === false) return errors
  if (draft.destination === null) errors.destination = withdrawalTexts.destinationMissing
  else if (draft.destinationId === null && !draft.isToSource) errors.destinationId = withdrawalTexts.destinationUnknown
  if (draft.isInCoins && draft.coin === null) errors.coin = withdrawalTexts.coinMissing
  return errors
}

/** The server's messages on our fields; what belongs to none of them is returned apart, and never swallowed. */
export function placeWithdrawalErrors(fieldErrors: Record<string, string[]>) {
  const errors: WithdrawalErrors = {}
  const others: string[] = []
  for (const [name, messages] of Object.entries(fieldErrors)) {
    const field = fieldOf[name]
    if (field) errors[field] ??= messages[0] ?? texts.fieldsMissing
    else others.push(...errorLines({ [name]: messages }, (text) => text))
  }
  return { errors, others }
}
