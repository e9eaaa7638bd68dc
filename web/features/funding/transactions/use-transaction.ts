import { useQuery } from '@tanstack/react-query'
import { transactionsKey } from '../transactions-key.ts'
import { pollOf, readTransactions } from '../use-funding.ts'

/** One transaction by its id, on any page; null when the member has none with that id. Without an id it sends no request. */
export function useTransaction(id: string | undefined) {
  return useQuery({
    queryKey: [...transactionsKey, 'one', id],
    queryFn: async () => (await readTransactions({ _id: id })).rows[0] ?? null,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollOf(state.data ? [state.data] : undefined),
  })
}
