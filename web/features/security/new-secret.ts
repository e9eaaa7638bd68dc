import { queryOptions } from '@tanstack/react-query'

/**
 * The secret of one dialog, without a cache. Read once: each reading starts another secret, and the app that has scanned the one before
 * would show codes that are refused, say after new terms were accepted meanwhile and every query was read again.
 */
export const newSecret = <Secret>(start: () => Promise<Secret>, dialog: string) =>
  queryOptions({
    queryKey: ['totp-setup', dialog],
    queryFn: start,
    enabled: ({ state }) => state.data === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
