import type { CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { isDecimal } from '@atrium/contract/money/money.ts'
import { readEnabledCoins, readWithdrawalQuote, type WithdrawalQuote } from '@atrium/contract/withdrawals/calls.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/transport.ts'
import type { WithdrawalAccount, WithdrawalDraft } from './withdrawal-draft.ts'

export const withdrawalQuoteKey = ['withdrawal-quote'] as const
/** Prices move, so the available amount is refreshed while it is displayed. */
const againMs = 15_000

/** The quote for the withdrawal as typed, debounced. */
export function useWithdrawalQuote(draft: WithdrawalDraft, account: WithdrawalAccount | null) {
  const typed = {
    trading_account: account?.id ?? '',
    // An invalid amount has its error at the field and is not sent.
    amount: isDecimal(draft.amount) ? draft.amount : '',
    ...(account?.isLive && {
      destination: draft.destination ?? '',
      destination_id: draft.beneficiaryId ?? '',
      coin: draft.coin ?? '',
    }),
  }
  const asked = useDebounced(typed, limits.filterDebounceMs)
  return useQuery(quoteQuery(asked, account, typed))
}

type Asked = CallInput<typeof readWithdrawalQuote>

/**
 * `quote` is never that of another account, whose amount "Withdraw all" would enter; `latest` is the last of any. Until the quote of
 * what is typed has arrived, fee and payout are unknown.
 */
export function quoteQuery(asked: Asked, account: Pick<WithdrawalAccount, 'id'> | null, typed = asked) {
  const isOf = ({ trading_account }: Asked) => trading_account !== '' && trading_account === account?.id
  return queryOptions({
    queryKey: [...withdrawalQuoteKey, asked],
    queryFn: async () => ({ quote: (await call(readWithdrawalQuote, asked)).preflight, asked }),
    enabled: isOf(asked),
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
    select: ({ quote, asked: shown }) => ({
      latest: quote,
      quote: isOf(shown) ? knownOf(quote, shown, typed) : undefined,
    }),
  })
}

type Rates = 'fee_fixed' | 'fee_percent'
/** A quote as it is shown: rates are null until those of the chosen destination are known. */
export type ShownQuote = Omit<WithdrawalQuote, Rates> & { [rate in Rates]: string | null }

function knownOf(quote: WithdrawalQuote, shown: Asked, typed: Asked): ShownQuote {
  if (isEqual(shown, typed)) return quote
  const isElsewhere = shown.destination !== typed.destination
  return { ...quote, fee: null, net: null, ...(isElsewhere && { fee_fixed: null, fee_percent: null }) }
}

const isEqual = (one: Asked, other: Asked): boolean => JSON.stringify(one) === JSON.stringify(other)

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
