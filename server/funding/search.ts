import { paymentLabels, paymentOf } from '@atrium/contract/funding/own-payments.ts'
import { statusOf, type TransactionState } from '@atrium/contract/funding/states.ts'
import type { SearchSource } from '../search/source.ts'
import { listEvents, listTransactions, type TransactionShape } from './queries.ts'

const ticketDigitsMax = 15

/** By ticket number in its usual forms: `1014`, `T-1014`, `#1014`. Uses its unique index. */
export const transactionSource: SearchSource = {
  group: 'transactions',
  scope: 'transactions',
  async find(tx, member, query) {
    const ticket = ticketOf(query)
    if (ticket === null) return []
    const [row] = await listTransactions(tx, member, { ticket, withCancelled: true }, { limit: 1, offset: 0 })
    if (!row) return []
    const { transaction_id: _id, type, amount, currency } = row
    const label = stateLabel(row, await listEvents(tx, member, [_id]))
    return [{ _id, title: String(row.ticket), facts: [capitalised(type), `${amount} ${currency}`, label] }]
  },
}

/** An unpaid deposit waits for its member, as its own page says. */
function stateLabel(row: TransactionShape, timeline: readonly { event: string }[]): string {
  const payment = paymentOf({ ...row, timeline })
  if (payment) return paymentLabels[payment].label
  return capitalised(row.state === 'cancelled' ? row.state : statusOf(row.state as TransactionState))
}

function ticketOf(query: string): string | null {
  const digits = query.replace(/^(?:t-|#)/i, '')
  return digits.length <= ticketDigitsMax && /^[0-9]+$/.test(digits) ? digits : null
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
