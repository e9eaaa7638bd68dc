import { useQuery } from '@tanstack/react-query'
import { graph } from '../../api/transport.ts'
import { platformServersQuery } from './accounts.queries.ts'

/**
 * The server names that members enter in their trading programs, by platform. A separate query, because a process of the
 * previous version does not know the field and would refuse the whole account query.
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
