import type { CallAnswer } from '@atrium/contract/call.ts'
import { withdrawalsList } from '@atrium/contract/funding/desk-list.ts'
import type { StuckOutcomeSaid } from '@atrium/contract/funding/stuck-outcome.ts'
import type { givenReasons } from '@atrium/contract/withdrawals/calls.ts'
import {
  approveWithdrawal,
  type DeskWithdrawal,
  deskWithdrawalCalls,
  lookUpWithdrawalAgain,
  markPayoutFailed,
  markWithdrawalPaid,
  payWithdrawalByProvider,
  readLedger,
  readWithdrawal,
  rejectWithdrawal,
  reportReturnedTransfer,
  settleStuckWithdrawal,
} from '@atrium/contract/withdrawals/desk-calls.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'
import type { StuckOutcomeWord } from '../desk-deposits/stuck-outcome.tsx'

const refreshMs = 5_000
const movingRefreshMs = 2_000

export type WithdrawalsAnswer = CallAnswer<typeof deskWithdrawalCalls.list>
export const withdrawals = listSource(withdrawalsList, deskWithdrawalCalls, { refreshMs: () => refreshMs })

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

export type Decision =
  | { do: 'approve'; seen: number }
  | { do: 'reject'; seen: number; reason: (typeof givenReasons)[number]; note: string }
  | { do: 'paid'; reference: string; reason?: string }
  | { do: 'failed'; note: string }
  | { do: 'returned'; amount: string; reference: string; reason: string }
  | { do: 'pay-by-provider' }
  | ({ do: 'settle-stuck' } & StuckOutcomeWord)

/** A decision carries the idempotency key of its form. */
type Act = { do: 'look-again' } | (Decision & { key: string })

function send(id: string, act: Act): Promise<{ withdrawal: DeskWithdrawal }> {
  if (act.do === 'look-again') return call(lookUpWithdrawalAgain, { id })
  const keyed = { id, idempotency_key: act.key }
  if (act.do === 'approve') return call(approveWithdrawal, { ...keyed, seen: act.seen })
  if (act.do === 'paid') {
    const { reference, reason } = act
    return call(markWithdrawalPaid, { ...keyed, reference, ...(reason && { reason }) })
  }
  if (act.do === 'failed') return call(markPayoutFailed, { ...keyed, note: act.note })
  if (act.do === 'returned') {
    const { amount, reference, reason } = act
    return call(reportReturnedTransfer, { ...keyed, amount, reference, reason })
  }
  if (act.do === 'settle-stuck') {
    const { outcome, operation, reason } = act
    return call(settleStuckWithdrawal, { ...keyed, outcome, reason, ...(operation && { operation }) })
  }
  if (act.do === 'pay-by-provider') return call(payWithdrawalByProvider, keyed)
  const { seen, reason, note } = act
  return call(rejectWithdrawal, { ...keyed, seen, reason, ...(note === '' ? {} : { note }) })
}

/** Sends an action. Refetches list and detail after every outcome. */
export function useAct(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (act: Act) => (await send(id, act)).withdrawal,
    onSuccess: (withdrawal) => queries.setQueryData(withdrawalQuery(id).queryKey, withdrawal),
    onError: () => queries.invalidateQueries({ queryKey: withdrawalQuery(id).queryKey }),
    onSettled: () => queries.invalidateQueries({ queryKey: [withdrawals.key] }),
  })
}

/** The dialog about a deleted account. It stays with the text typed in it when a colleague settles the outcome first. */
export function useSettling({ _id, platform }: DeskWithdrawal) {
  const attempt = useAct(_id)
  const [opened, setOpened] = useState<{ said: StuckOutcomeSaid } | null>(null)
  return {
    record: () => setOpened({ said: platform?.outcome_said ?? null }),
    dialog: opened && {
      ...opened,
      send: async (word: StuckOutcomeWord & { key: string }) => {
        const { platform: now } = await attempt.mutateAsync({ do: 'settle-stuck', ...word })
        return { isSettled: !now?.account_gone }
      },
      onClose: () => setOpened(null),
    },
  }
}
