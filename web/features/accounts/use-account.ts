import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AccountQuery } from '../../api/generated/graphql.ts'
import { graph } from '../../api/transport.ts'
import { accountQuery } from './accounts.queries.ts'
import { accountsKey } from './accounts-key.ts'
import { type Stable, stableAccount } from './stable-account.ts'

type Answer = AccountQuery['trading_account']
export type AccountDetail = NonNullable<Answer>
export type StableDetail = Stable<AccountDetail>

const accountOptions = (id: string, sync: boolean) =>
  queryOptions({
    queryKey: [...accountsKey, 'one', id, sync ? 'synced' : 'stored'],
    queryFn: async () => (await graph(accountQuery, { _id: id, sync })).data.trading_account,
  })

/** One account: first the stored metrics, then the platform's. Null when the member has no account with that id. */
export const useAccount = (id: string) => useSelected(id, allOf)

/** The same for components without live metrics: they re-render only when something else about the account changes. */
export const useStableAccount = (id: string) => useSelected(id, stableOf)

const allOf = (answer: Answer) => answer
const stableOf = (answer: Answer): StableDetail | null => answer && stableAccount(answer)

function useSelected<Shown extends Pick<AccountDetail, 'deleted'> | null>(
  id: string,
  select: (answer: Answer) => Shown,
) {
  const stored = useQuery({ ...accountOptions(id, false), select })
  // A closed account has no metrics at the platform that could change.
  const synced = useQuery({ ...accountOptions(id, true), select, enabled: stored.data?.deleted === false })
  return {
    account: synced.data ?? stored.data,
    /** True until the platform answers; until then it is unknown whether the metrics are live. */
    isSyncing: stored.data?.deleted === false && synced.data === undefined && !synced.isError,
    error: stored.error,
    retry: () => stored.refetch(),
  }
}
