import { readDepositWays } from '@atrium/contract/payments/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'

export type Way = { code: string; name: string }
const none: Way[] = []

/** What can be paid with through a provider in one currency, and how much of it before the identity is approved. */
export function useDepositWays(method: string, currency: string | null): { ways: Way[]; note: string | undefined } {
  const { data } = useQuery({
    queryKey: ['deposit-ways', method, currency],
    queryFn: () => call(readDepositWays, { payment_method: method, currency: currency ?? '' }),
    enabled: currency !== null,
    staleTime: 60_000,
  })
  return { ways: data?.ways ?? none, note: data?.before_identity }
}

/** The chosen one, or the usual one when that is not among them. */
export const wayAmong = (ways: readonly Way[], chosen: string): string | null =>
  (ways.find(({ code }) => code === chosen) ?? ways[0])?.code ?? null
