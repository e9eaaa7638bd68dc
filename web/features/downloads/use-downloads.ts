import { useQuery } from '@tanstack/react-query'
import { graph } from '../../api/transport.ts'
import { byPlatform } from './by-platform.ts'
import { downloadsQuery } from './downloads.queries.ts'

export function useDownloads() {
  return useQuery({
    queryKey: ['downloads'],
    queryFn: async () => byPlatform((await graph(downloadsQuery, {})).data.current_member?.accounts ?? []),
  })
}
