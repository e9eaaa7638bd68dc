import { useQuery } from '@tanstack/react-query'
import type { ProfileQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { profileQuery } from './profile.queries.ts'

export type Profile = NonNullable<ProfileQuery['current_member']>

export function useProfile() {
  return useQuery({
    queryKey: ['profile'],
    queryFn: async () => (await graph(profileQuery, {})).data.current_member,
  })
}
