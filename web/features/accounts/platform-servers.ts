import { useQuery } from '@tanstack/react-query'
import { graph } from '../../api/transport.ts'
import { platformServersQuery } from './accounts.queries.ts'

/**
 * The servers that members choose in the programs of their platforms, by platform. Asked for by itself: a process of the
 * version before does not know the field, and would answer nothing else of the account either.
 */
export function usePlatformServers(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['platform-servers'],
    queryFn: async () => serversOf((await graph(platformServersQuery, {})).data.current_member?.accounts ?? []),
    staleTime: 60_000,
    retry: false,
  })
  return data ?? none
}

const none: ReadonlyMap<string, string> = new Map()

type WithPlatform = { trading_platform: { _id: string; server: string | null } }

const serversOf = (accounts: readonly WithPlatform[]): ReadonlyMap<string, string> =>
  new Map(
    accounts.flatMap(({ trading_platform: { _id, server } }) => (server === null ? [] : [[_id, server] as const])),
  )
