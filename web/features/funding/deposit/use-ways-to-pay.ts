import { queryOptions, useQuery } from '@tanstack/react-query'
import type { WaysToPayQuery } from '../../../api/generated/graphql.ts'
import { graph } from '../../../api/transport.ts'
import { waysToPayQuery } from '../provider.queries.ts'

export type Provider = WaysToPayQuery['available_psps'][number]
export type Offer = Provider['currencies'][number]
export type PayerProfile = NonNullable<WaysToPayQuery['current_member']>

export const waysToPay = queryOptions({
  queryKey: ['ways-to-pay'],
  queryFn: async () => (await graph(waysToPayQuery, {})).data,
  staleTime: 60_000,
})

export const useWaysToPay = () => useQuery(waysToPay)

export const offerIn = (provider: Provider | undefined, currency: string | null): Offer | null =>
  provider?.currencies.find((offer) => offer.currency === currency) ?? null
