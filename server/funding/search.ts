import { statusOf } from '@atrium/contract/funding/states.ts'
import type { SearchSource } from '../search/source.ts'
import { listTransactions } from './queries.ts'

const ticketDigitsMax = 15

/** By ticket number in its usual forms: `1014`, `T-1014`, `#1014`. Uses its unique index. */
export const transactionSource: SearchSource = {
  group: 'transactions',
  scope: 'transactions',
  async find(tx, member, query) {
    const ticket = ticketOf(query)
    if (ticket === null) return []
    const found = await listTransactions(tx, member, { ticket, withCancelled: true }, { limit: 1, offset: 0 })
    return found.map(({ transaction_id, ticket, type, amount, currency, state }) => ({
      _id: transaction_id,
      title: String(ticket),
      facts: [
        capitalised(type),
        `${amount} ${currency}`,
        capitalised(state === 'cancelled' ? state : statusOf(state as Parameters<typeof statusOf>[0])),
      ],
    }))
  },
}

function ticketOf(query: string): string | null {
  const digits = query.replace(/^(?:t-|#)/i, '')
  return digits.length <= ticketDigitsMax && /^[0-9]+$/.test(digits) ? digits : null
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
