import { Amount } from '../../../ui/money/amount.tsx'
import { movedAmount } from '../../../ui/money/own-transactions.ts'
import type { Transaction } from '../use-funding.ts'

type TransactionAmountProps = {
  transaction: Pick<Transaction, 'type' | 'amount' | 'currency' | 'state'>
  size?: 'normal' | 'large'
}

export function TransactionAmount({ transaction, size = 'normal' }: TransactionAmountProps) {
  return <Amount {...movedAmount(transaction)} currency={transaction.currency} size={size} />
}
