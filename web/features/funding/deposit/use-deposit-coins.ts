import { readDepositCoins } from '@atrium/contract/payments/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'

/** For the field of the coin. A list that did not load says so, and is requested again when it is opened. */
export function useDepositCoins(method: string, error: string | undefined) {
  const { t } = useTranslation()
  const coins = useQuery({
    queryKey: ['deposit-coins', method],
    queryFn: async () => (await call(readDepositCoins, { payment_method: method })).coins,
    staleTime: 60_000,
  })
  return {
    coins: coins.data ?? [],
    isLoading: coins.isPending,
    error: coins.data || !coins.error ? error : t(coins.error.message),
    onDropdownOpen: () => {
      if (coins.isError) void coins.refetch()
    },
  }
}
