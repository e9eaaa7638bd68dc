import { readDepositWays } from '@atrium/contract/payments/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'

export type Way = { code: string; name: string }
const none: Way[] = []

/** A provider's payment methods in one currency, with the limit until the identity is approved. */
export function useDepositWays(method: string, currency: string | null): { ways: Way[]; note: string | undefined } {
  const { data } = useQuery({
    queryKey: ['deposit-ways', method, currency],
    queryFn: () => call(readDepositWays, { payment_method: method, currency: currency ?? '' }),
    enabled: currency !== null,
    staleTime: 60_000,
  })
  return { ways: data?.ways ?? none, note: data?.before_identity }
}

/** The chosen way, or the default when it is not available. */
export const availableWay = (ways: readonly Way[], chosen: string): string | null =>
  (ways.find(({ code }) => code === chosen) ?? ways[0])?.code ?? null
