import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { AccountsQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { accountsQuery } from './accounts.queries.ts'
import { accountsKey } from './accounts-key.ts'
import { type Stable, stableAccount } from './stable-account.ts'

export type Account = NonNullable<AccountsQuery['current_member']>['accounts'][number]
export type StableAccount = Stable<Account>

export const accountsIn = (sync: boolean) =>
  queryOptions({
    queryKey: [...accountsKey, sync ? 'synced' : 'stored'],
    queryFn: async () => (await graph(accountsQuery, { sync })).data.current_member?.accounts ?? [],
    placeholderData: keepPreviousData,
  })

type Options = { isOff?: boolean }

/** The accounts, first with stored balances, then with the platform's. Not requested when accounts are closed to the member (`isOff`). */
export const useAccounts = (options?: Options) => useSelected(allOf, options)

/** The same for components without live metrics: they re-render only when something else about the accounts changes. */
export const useStableAccounts = (options?: Options) => useSelected(allStable, options)

const allOf = (accounts: Account[]) => accounts
const allStable = (accounts: Account[]): StableAccount[] => accounts.map((account) => stableAccount(account))

function useSelected<Shown>(select: (accounts: Account[]) => Shown, { isOff = false }: Options = {}) {
  const stored = useQuery({ ...accountsIn(false), select, enabled: !isOff })
  const synced = useQuery({ ...accountsIn(true), select, enabled: stored.isSuccess })
  return {
    accounts: synced.data ?? stored.data,
    /** True until the platform answers; until then it is unknown whether the metrics are live. */
    isSyncing: synced.data === undefined && !synced.isError,
    error: stored.error,
    retry: () => stored.refetch(),
  }
}
