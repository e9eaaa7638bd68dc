import type { givenReasons } from '@atrium/contract/withdrawals/calls.ts'
import {
  approveWithdrawal,
  type DeskWithdrawal,
  listWithdrawals,
  lookAgainAtWithdrawal,
  markPayoutFailed,
  markWithdrawalPaid,
  payWithdrawalByProvider,
  readLedger,
  readWithdrawal,
  rejectWithdrawal,
} from '@atrium/contract/withdrawals/desk-calls.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { useDecisionKey } from '../../api/use-decision-key.ts'
import { toListInput, type WithdrawalView } from './withdrawal-queue.ts'

const listKey = 'desk-withdrawals'
const refreshMs = 5_000
const movingRefreshMs = 2_000

/** A page of the queue, kept fresh while it is looked at. It says which tab it is of: old rows never pass for new ones. */
export const withdrawalsQuery = (view: WithdrawalView) =>
  queryOptions({
    queryKey: [listKey, view],
    queryFn: async () => ({ ...(await call(listWithdrawals, toListInput(view))), tab: view.tab }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

const moving = ['debiting', 'checking', 'returning']

export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-withdrawal', id],
    queryFn: async () => (await call(readWithdrawal, { id })).withdrawal,
    refetchInterval: ({ state }) => (state.data && moving.includes(state.data.state) ? movingRefreshMs : refreshMs),
  })

export const ledgerQuery = queryOptions({
  queryKey: ['desk-ledger'],
  queryFn: () => call(readLedger, {}),
  refetchInterval: 60_000,
})

export type Act =
  | { do: 'approve' }
  | { do: 'reject'; reason: (typeof givenReasons)[number]; note: string }
  | { do: 'paid'; reference: string }
  | { do: 'failed'; note: string }
  | { do: 'look-again' }
  | { do: 'pay-by-provider' }

function send(id: string, act: Act, idempotency_key: string): Promise<{ withdrawal: DeskWithdrawal }> {
  const keyed = { id, idempotency_key }
  if (act.do === 'approve') return call(approveWithdrawal, keyed)
  if (act.do === 'paid') return call(markWithdrawalPaid, { ...keyed, reference: act.reference })
  if (act.do === 'failed') return call(markPayoutFailed, { ...keyed, note: act.note })
  if (act.do === 'pay-by-provider') return call(payWithdrawalByProvider, keyed)
  if (act.do === 'look-again') return call(lookAgainAtWithdrawal, { id })
  return call(rejectWithdrawal, { ...keyed, reason: act.reason, ...(act.note === '' ? {} : { note: act.note }) })
}

/** Sends one act once. However it ended, list and detail are read anew. */
export function useAct(id: string) {
  const queries = useQueryClient()
  const once = useDecisionKey()
  return useMutation({
    mutationFn: async (act: Act) => (await once(id, act, (key) => send(id, act, key))).withdrawal,
    onSuccess: (withdrawal) => queries.setQueryData(withdrawalQuery(id).queryKey, withdrawal),
    onError: () => queries.invalidateQueries({ queryKey: withdrawalQuery(id).queryKey }),
    onSettled: () => queries.invalidateQueries({ queryKey: [listKey] }),
  })
}
