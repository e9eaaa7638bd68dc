import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { AccountsQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { accountsQuery } from './accounts.queries.ts'

export type Account = NonNullable<AccountsQuery['current_member']>['accounts'][number]

export const accountsKey = ['accounts'] as const

const accountsOptions = (sync: boolean) =>
  queryOptions({
    queryKey: [...accountsKey, sync ? 'synced' : 'stored'],
    queryFn: async () => (await graph(accountsQuery, { sync })).data.current_member?.accounts ?? [],
    placeholderData: keepPreviousData,
  })

/** The accounts with the balances last known at once, and the platform's own as soon as it has answered; not asked for where closed (`isOff`). */
export function useAccounts({ isOff = false }: { isOff?: boolean } = {}) {
  const stored = useQuery({ ...accountsOptions(false), enabled: !isOff })
  const synced = useQuery({ ...accountsOptions(true), enabled: stored.isSuccess })
  return {
    accounts: synced.data ?? stored.data,
    /** The platform has not answered yet, so whether the figures are live is not known either. */
    isSyncing: synced.data === undefined && !synced.isError,
    error: stored.error,
    retry: () => stored.refetch(),
  }
}
