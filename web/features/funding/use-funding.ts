import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { paths } from '../../api/first-calls.ts'
import type { TransactionsQueryVariables } from '../../api/generated/graphql.ts'
import { followed } from '../../api/streams/followed.ts'
import { graph } from '../../api/transport.ts'
import { type Transaction, transactionsQuery } from './funding.queries.ts'
import { isUnsettled } from './transactions/transaction-labels.ts'
import { transactionsKey } from './transactions-key.ts'

export type { Transaction } from './funding.queries.ts'

/** Crediting takes seconds; a staff decision may take hours, a virus scan minutes. */
const movingPollMs = 2_500
const pendingPollMs = 10_000

const followedPollMs = 60_000

const isScanned = ({ attachments }: Transaction) => attachments.some(({ scan }) => scan === 'waiting')
const isAtProvider = ({ payment_method }: Transaction) => payment_method?.startsWith('psp:') === true

/** `isFollowed`: notifications report decisions of staff, which are not every change of a pending transaction. */
export function pollOf(transactions: Transaction[] = [], isFollowed = false): number | false {
  const open = transactions.filter((one) => isUnsettled(one) || isScanned(one))
  if (open.length === 0) return false
  if (open.some(({ state }) => state !== 'pending' && isUnsettled({ state }))) return movingPollMs
  return isFollowed && !open.some((one) => isScanned(one) || isAtProvider(one)) ? followedPollMs : pendingPollMs
}

type Options = {
  /** Skips the query for a member who may not see the list. */
  isOff?: boolean
  /** Polls a transaction that waits for staff less often while the stream of notifications is open. */
  isNotified?: boolean
}

export async function readTransactions(variables: TransactionsQueryVariables) {
  const { data, extra } = await graph(transactionsQuery, variables)
  const rows = data.balance_transactions
  return { rows, total: extra.countBalancetransactions ?? rows.length }
}

export const transactionsPage = (variables: TransactionsQueryVariables) =>
  queryOptions({
    queryKey: [...transactionsKey, variables],
    queryFn: () => readTransactions(variables),
  })

export function useTransactions(
  variables: TransactionsQueryVariables,
  { isOff = false, isNotified = false }: Options = {},
) {
  return useQuery({
    ...transactionsPage(variables),
    enabled: !isOff,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollOf(state.data?.rows, isNotified && followed.has(paths.watchNotifications)),
  })
}
