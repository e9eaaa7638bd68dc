import { useQuery } from '@tanstack/react-query'
import type { ProfileQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { ownBankAccountsQuery, profileQuery, quickLinksQuery } from './profile.queries.ts'

export type Profile = NonNullable<ProfileQuery['current_member']>

export function useProfile({ isOff = false }: { isOff?: boolean } = {}) {
  return useQuery({
    queryKey: ['profile'],
    queryFn: async () => (await graph(profileQuery, {})).data.current_member,
    enabled: !isOff,
  })
}

export function useOwnBankAccounts() {
  return useQuery({
    queryKey: ['profile', 'bank-accounts'],
    queryFn: async () => (await graph(ownBankAccountsQuery, {})).data.bank_accounts,
  })
}

export function useQuickLinks() {
  return useQuery({
    queryKey: ['profile', 'quick-links'],
    queryFn: async () => (await graph(quickLinksQuery, {})).data.current_member?.requests_types_for_quick_links ?? [],
  })
}
