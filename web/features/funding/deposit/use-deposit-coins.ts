import { readDepositCoins } from '@atrium/contract/payments/calls.ts'
import { call } from '../../../api/transport.ts'
import { useLoadedList } from '../../../forms/use-loaded-list.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'

/** For the field of the coin. */
export function useDepositCoins(method: string, error: string | undefined) {
  const { t } = useTranslation()
  const query = {
    queryKey: ['deposit-coins', method],
    queryFn: async () => (await call(readDepositCoins, { payment_method: method })).coins,
    staleTime: 60_000,
  }
  const { entries: coins, isLoading, field } = useLoadedList(query, error, t('No matching coin'))
  return { coins, isLoading, ...field }
}
