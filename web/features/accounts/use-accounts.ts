import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { AccountsQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { accountsQuery } from './accounts.queries.ts'
import { accountsKey } from './accounts-key.ts'

export type Account = NonNullable<AccountsQuery['current_member']>['accounts'][number]

const accountsOptions = (sync: boolean) =>
  queryOptions({
    queryKey: [...accountsKey, sync ? 'synced' : 'stored'],
    queryFn: async () => (await graph(accountsQuery, { sync })).data.current_member?.accounts ?? [],
    placeholderData: keepPreviousData,
  })

/** The accounts, first with stored balances, then with the platform's. Not requested when accounts are closed to the member (`isOff`). */
export function useAccounts({ isOff = false }: { isOff?: boolean } = {}) {
  const stored = useQuery({ ...accountsOptions(false), enabled: !isOff })
  const synced = useQuery({ ...accountsOptions(true), enabled: stored.isSuccess })
  return {
    accounts: synced.data ?? stored.data,
    /** True until the platform answers; until then it is unknown whether the figures are live. */
    isSyncing: synced.data === undefined && !synced.isError,
    error: stored.error,
    retry: () => stored.refetch(),
  }
}
