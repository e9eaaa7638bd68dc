import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { paths } from '../../api/first-calls.ts'
import type { TransactionsQueryVariables } from '../../api/generated/graphql.ts'
import { followed } from '../../api/streams/followed.ts'
import { graph } from '../../api/transport.ts'
import { type Transaction, transactionsQuery, transferBanksQuery } from './funding.queries.ts'
import { isUnsettled } from './transactions/transaction-labels.ts'

export type { Transaction } from './funding.queries.ts'

export const transactionsKey = ['transactions'] as const

/** Crediting takes seconds; a staff decision may take hours, a virus scan minutes. */
const movingPollMs = 2_500
const pendingPollMs = 10_000

function pollOf(transactions: Transaction[] | undefined): number | false {
  if (!transactions?.some((one) => isUnsettled(one) || one.attachments.some(({ scan }) => scan === 'waiting')))
    return false
  return transactions.some(({ state }) => state !== 'pending' && isUnsettled({ state })) ? movingPollMs : pendingPollMs
}

type Manner = {
  /** Where the list is closed to a member, it is not asked for. */
  isOff?: boolean
  /** What waits for the desk is not asked for again as long as notifications say when it is decided. */
  isTold?: boolean
}

export function useTransactions(variables: TransactionsQueryVariables, { isOff = false, isTold = false }: Manner = {}) {
  return useQuery({
    queryKey: [...transactionsKey, variables],
    queryFn: async () => {
      const { data, extra } = await graph(transactionsQuery, variables)
      return {
        rows: data.balance_transactions,
        total: extra.countBalancetransactions ?? data.balance_transactions.length,
      }
    },
    enabled: !isOff,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const pollMs = pollOf(state.data?.rows)
      return isTold && pollMs === pendingPollMs && followed.has(paths.watchNotices) ? false : pollMs
    },
  })
}

/** One transaction by its id, on any page; null when the member has none with that id. Without an id it sends no request. */
export function useTransaction(id: string | undefined) {
  return useQuery({
    queryKey: [...transactionsKey, 'one', id],
    queryFn: async () => (await graph(transactionsQuery, { _id: id })).data.balance_transactions[0] ?? null,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollOf(state.data ? [state.data] : undefined),
  })
}

export function useTransferBanks() {
  return useQuery({
    queryKey: ['transfer-banks'],
    queryFn: async () => (await graph(transferBanksQuery, {})).data,
    staleTime: 60_000,
  })
}

export type CompanyBank = NonNullable<ReturnType<typeof useTransferBanks>['data']>['system_bank_accounts'][number]
export type OwnBank = NonNullable<ReturnType<typeof useTransferBanks>['data']>['bank_accounts'][number]
