import { type OwnTransaction, paymentLabels, paymentOf } from '@atrium/contract/funding/own-payments.ts'
import { type OwnStateLabel, ownStateLabel } from './own-transactions.ts'

/** "Pending" means waiting for our team; a transaction that waits for its payment has its own label. */
export function labelsOfTransaction(transaction: OwnTransaction): OwnStateLabel {
  const payment = paymentOf(transaction)
  return payment ? paymentLabels[payment] : ownStateLabel(transaction.state)
}
