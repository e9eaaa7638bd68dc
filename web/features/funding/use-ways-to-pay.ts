import { currencyDecimals } from '@atrium/contract/currencies.ts'
import { useQuery } from '@tanstack/react-query'
import Big from 'big.js'
import type { WaysToPayQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { waysToPayQuery } from './provider.queries.ts'

export type Provider = WaysToPayQuery['available_psps'][number]
export type Offer = Provider['currencies'][number]
export type PayerProfile = NonNullable<WaysToPayQuery['current_member']>

export function useWaysToPay() {
  return useQuery({
    queryKey: ['ways-to-pay'],
    queryFn: async () => (await graph(waysToPayQuery, {})).data,
    staleTime: 60_000,
  })
}

export const offerIn = (provider: Provider | undefined, currency: string | null): Offer | null =>
  provider?.currencies.find((offer) => offer.currency === currency) ?? null

/** On top of the amount, as the server counts it (payment-providers/provider.ts). */
export function feeOf(amount: string, { currency, fee_percent, fee_fixed }: Offer): string {
  const decimals = currencyDecimals(currency)
  return new Big(amount).times(fee_percent).div(100).plus(fee_fixed).round(decimals, Big.roundUp).toFixed(decimals)
}

export const hasFee = ({ fee_percent, fee_fixed }: Offer): boolean =>
  !new Big(fee_percent).eq(0) || !new Big(fee_fixed).eq(0)
