import { limits } from '@atrium/contract/limits.ts'
import { isDecimal } from '@atrium/contract/money/money.ts'
import { readEnabledCoins, readWithdrawalQuote } from '@atrium/contract/withdrawals/calls.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/transport.ts'
import type { WithdrawalAccount, WithdrawalDraft } from './withdrawal-draft.ts'

export const withdrawalQuoteKey = ['withdrawal-quote'] as const
/** Prices move, so the available amount is refreshed while it is displayed. */
const againMs = 15_000

/** The quote for the withdrawal as typed, debounced. */
export function useWithdrawalQuote(draft: WithdrawalDraft, account: WithdrawalAccount | null) {
  const asked = useDebounced(
    {
      trading_account: account?.id ?? '',
      // An invalid amount has its error at the field and is not sent.
      amount: isDecimal(draft.amount) ? draft.amount : '',
      ...(account?.isLive && {
        destination: draft.destination ?? '',
        destination_id: draft.beneficiaryId ?? '',
        coin: draft.coin ?? '',
      }),
    },
    limits.filterDebounceMs,
  )
  return useQuery({
    queryKey: [...withdrawalQuoteKey, asked],
    queryFn: async () => (await call(readWithdrawalQuote, asked)).preflight,
    enabled: asked.trading_account !== '' && asked.trading_account === account?.id,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
  })
}

function useDebounced<Value>(value: Value, debounceMs: number): Value {
  const [debounced, setDebounced] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(text) as Value), debounceMs)
    return () => clearTimeout(timer)
  }, [text, debounceMs])
  return debounced
}

/** The coins that the chosen wallet can receive through a provider. */
export function useCoins({ destination, beneficiaryId }: Pick<WithdrawalDraft, 'destination' | 'beneficiaryId'>) {
  const asked = { destination: destination ?? '', destination_id: beneficiaryId ?? '' }
  return useQuery({
    queryKey: ['enabled-coins', asked],
    queryFn: async () => (await call(readEnabledCoins, asked)).enabled_coins,
    staleTime: 60_000,
  })
}
