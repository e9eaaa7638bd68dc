import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AccountQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { accountQuery } from './accounts.queries.ts'
import { accountsKey } from './accounts-key.ts'

export type AccountDetail = NonNullable<AccountQuery['trading_account']>

const accountOptions = (id: string, sync: boolean) =>
  queryOptions({
    queryKey: [...accountsKey, 'one', id, sync ? 'synced' : 'stored'],
    queryFn: async () => (await graph(accountQuery, { _id: id, sync })).data.trading_account,
  })

/** One account: first the stored figures, then the platform's. Null when the member has no account with that id. */
export function useAccount(id: string) {
  const stored = useQuery(accountOptions(id, false))
  // A closed account has no figures at the platform that could change.
  const synced = useQuery({ ...accountOptions(id, true), enabled: stored.data?.deleted === false })
  return {
    account: synced.data ?? stored.data,
    /** True until the platform answers; until then it is unknown whether the figures are live. */
    isSyncing: stored.data?.deleted === false && synced.data === undefined && !synced.isError,
    error: stored.error,
    retry: () => stored.refetch(),
  }
}
