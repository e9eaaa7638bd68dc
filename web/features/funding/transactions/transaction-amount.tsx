import { Amount } from '../../../ui/money/amount.tsx'
import type { Transaction } from '../use-funding.ts'
import { signedByType } from './transaction-labels.ts'

type TransactionAmountProps = {
  transaction: Pick<Transaction, 'type' | 'amount' | 'currency' | 'state'>
  size?: 'normal' | 'large'
}

/** Plus for incoming, minus for outgoing. A rejected amount moved nothing: it has no sign and is struck through. */
export function TransactionAmount({ transaction, size = 'normal' }: TransactionAmountProps) {
  const { amount, currency, state } = transaction
  if (state === 'rejected') return <Amount amount={amount} currency={currency} size={size} isVoid />
  return <Amount amount={signedByType(transaction)} currency={currency} size={size} sign="always" />
}
