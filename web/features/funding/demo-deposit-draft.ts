import { demoDepositInput, depositAmountError } from '@atrium/contract/funding.ts'
import { texts } from '@atrium/contract/texts.ts'

export type DemoDepositDraft = { accountId: string | null; amount: string; comment: string }

/** Fields in the order of the page, so that the first wrong one gets the focus. */
export const demoDepositFields = ['account', 'amount', 'comment'] as const
export type DemoDepositField = (typeof demoDepositFields)[number]
export type DemoDraftErrors = Partial<Record<DemoDepositField, string>>

/** What is not asked for is sent empty, as the specification has it; the server decides it. */
export const toDemoBody = ({ accountId, amount, comment }: DemoDepositDraft) => ({
  trading_account: accountId ?? '',
  amount,
  comment,
  origin: '',
  origin_id: '',
  transaction_id: '',
  token_key: 'transaction_deposit' as const,
  payment_method: 'manual',
  status: 'pending',
  source: 'client',
  type: 'deposit',
})

const fieldOf = new Map<string, DemoDepositField>([
  ['trading_account', 'account'],
  ['amount', 'amount'],
  ['comment', 'comment'],
])

/** Every gap with its sentence, by the same rules as the server's door. */
export function checkDemoDraft(draft: DemoDepositDraft, currency: string | null): DemoDraftErrors {
  const amount = depositAmountError(draft.amount, currency ?? 'USD')
  const parsed = demoDepositInput.safeParse({ ...toDemoBody(draft), nonce_token: 'not yet asked for' })
  const errors = placeDemoErrors(
    Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [String(path[0]), [message]])),
  ).errors
  return { ...errors, ...(amount !== null && { amount }) }
}

/** The server's messages on our fields; what belongs to none of them is returned apart, and never swallowed. */
export function placeDemoErrors(said: Record<string, string[]>): { errors: DemoDraftErrors; others: string[] } {
  const errors: DemoDraftErrors = {}
  const others: string[] = []
  for (const [name, messages] of Object.entries(said)) {
    const field = fieldOf.get(name)
    if (field) errors[field] = messages[0] ?? texts.fieldsMissing
    else others.push(...messages)
  }
  return { errors, others }
}
